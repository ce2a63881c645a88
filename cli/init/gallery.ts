/**
 * The templates of `thermidor init --template`. A template is a folder in `examples/templates/` with the files of a working folder; its
 * `thermidor.yaml` has the settings it needs. This file is data alone: completion reads it at every start.
 */
export interface InitTemplate {
  name: string;
  /** One line that says what the template is for. */
  purpose: string;
  /** Lines to be typed in the new folder, in this order. They need no model. */
  commands: readonly string[];
}

/** It works in an existing repository: `init --repo` is the same. */
export const REPOSITORY_TEMPLATE = 'coding-agent';

export const GALLERY: readonly InitTemplate[] = [
  {
    name: 'research-and-review',
    purpose: 'a question in, a brief out: two researchers, a writer, a reviewer with three rounds, a person',
    commands: ['thermidor test pipelines/research-and-review.test.yaml', 'thermidor run research-and-review --script research-and-review'],
  },
  {
    name: 'release',
    purpose: 'build, checks, changelog, two signatures, a deployment after proven approval, and the roll-back',
    commands: [
      'thermidor test pipelines/release.test.yaml',
      "export ANN_TOKEN='a phrase that only ann knows'",
      'thermidor run release --script release --arg version=1.4.0',
      'thermidor approve release --by ann --token secret://env/ANN_TOKEN',
    ],
  },
  {
    name: REPOSITORY_TEMPLATE,
    purpose: 'in a git repository of yours: an agent’s program does a task, you see the diff, exactly that is committed',
    commands: [
      "thermidor run pipelines/coding-agent.yaml --script coding-agent --arg task='Say hello'",
      "thermidor run pipelines/coding-agent.yaml --arg task='Describe this repository in README.md'",
    ],
  },
  {
    name: 'nightly-report',
    purpose: 'every working day before work: sources read and condensed, a page in the channel, within a budget',
    commands: ['thermidor test pipelines/nightly-report.test.yaml', 'thermidor run nightly-report --script nightly-report'],
  },
  {
    name: 'fan-out-review',
    purpose: 'three critics over every changed file of a git diff, one verdict, a person if it blocks',
    commands: [
      'thermidor test pipelines/fan-out-review.test.yaml',
      'thermidor run fan-out-review --script fan-out-review --arg patch=pipelines/commands/example.patch',
    ],
  },
  {
    name: 'incident',
    purpose: 'facts, a diagnosis from three sides, a chain of people, a mitigation after approval, a post-mortem',
    commands: ['thermidor test pipelines/incident.test.yaml', 'thermidor run incident --script incident'],
  },
];
