/** Beside the record, where k6 did not end as it has to. */
export const K6_LOG = 'k6.log'

export const LOOK_AT_K6 = `Nothing was concluded from this scenario. What k6 said lies in ${K6_LOG} beside the record; of a prepared run, where k6 was started.`
