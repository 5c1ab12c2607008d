import { flag, text, type Page } from '../help-page.ts'
import { K6_VERSION } from '../load/k6/k6-version.ts'

export const FOLDER = 'k8s'

export const CLUSTER_PAGE = {
  command: 'load:k8s',
  words: '--out DIR',
  what: 'Lays load scenarios out for the k6-operator on Kubernetes. Nothing is sent to the cluster, and no key is written to a manifest.',
  groups: [
    {
      title: 'Cluster',
      options: {
        out: text(
          'DIR',
          `where to write the prepared run, with archives and manifests in DIR/${FOLDER}`,
        ),
        namespace: text('NAME', 'of all objects'),
        secret: text('NAME', 'the Secret that will hold the keys', 'ordering-harness-keys'),
        'runner-image': text('IMAGE', 'an image of the pinned k6', `grafana/k6:${K6_VERSION}`),
        separate: flag('each process on a host of its own'),
      },
    },
  ],
  notes: `
And what npm run load takes, such as --target, --scenario, --allow-load, --instances and --keys-file: npm run load -- --help.`,
  examples: `
npm run load:k8s -- --out prepared --target staging.target.json --instances 4 --allow-load --max-requests 5000
npm run load -- --judge prepared          when the evidence was brought back: the verdict`,
} as const satisfies Page
