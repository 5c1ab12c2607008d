/** What a target lacks for a scenario. */
export type Lacks = { readonly lacks: string }
