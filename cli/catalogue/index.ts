import type { CommandSpec } from '../command';
import * as lobsterCommand from '../commands/lobster';
import { BOARD_COMMANDS } from './boards';
import { BRIEF_COMMANDS } from './briefs';
import { DECISION_COMMANDS } from './decisions';
import { GRANT_COMMANDS } from './grants';
import { MEMORY_COMMANDS } from './memory';
import { PIPELINE_COMMANDS } from './pipelines';
import { QUEUE_COMMANDS } from './queues';
import { RUN_COMMANDS } from './runs';
import { SERVICE_COMMANDS } from './services';
import { TEAM_RUN_COMMANDS } from './team-runs';
import { TEAM_COMMANDS } from './teams';

/** Lobster's own command line, whose words Lobster defines. */
const LOBSTER_COMMANDS: readonly CommandSpec[] = [
  {
    name: 'lobster',
    summary: 'Lobster’s own command line, with durable runs: run, resume, graph, doctor (`thermidor lobster help`)',
    arguments: [{ form: '[words...]', doc: 'as `lobster` takes them', completes: 'file' }],
    raw: true,
    examples: ['lobster run --mode tool --file release.lobster', 'lobster resume --id 2f6c01ab --approve yes'],
    load: () => lobsterCommand,
  },
];

/** Commands under their headings, in the order that help shows them. */
export const GROUPS: readonly { heading: string; commands: readonly CommandSpec[] }[] = [
  { heading: 'Pipelines', commands: PIPELINE_COMMANDS },
  { heading: 'Runs', commands: RUN_COMMANDS },
  { heading: 'Answers and orders', commands: [...DECISION_COMMANDS, ...GRANT_COMMANDS] },
  { heading: 'Briefs', commands: BRIEF_COMMANDS },
  { heading: 'Merge queues', commands: QUEUE_COMMANDS },
  { heading: 'Teams and what they learn', commands: [...TEAM_RUN_COMMANDS, ...BOARD_COMMANDS, ...TEAM_COMMANDS, ...MEMORY_COMMANDS] },
  { heading: 'Servers, workers and schedules', commands: SERVICE_COMMANDS },
  { heading: 'Lobster', commands: LOBSTER_COMMANDS },
];

/** Every command. Parser, help and completion are made from this. */
export const CATALOGUE: readonly CommandSpec[] = GROUPS.flatMap(({ commands }) => commands);

/** What a noun means, for the help of commands that are a noun and a verb. */
export const NOUNS: Readonly<Record<string, string>> = {
  schedule: 'triggers and Temporal Schedules',
  caid: 'teams of agents',
  brief: 'briefs that a team of roles works',
  team: 'teams that work from a board',
  task: 'tasks of a board',
  grant: 'what people have granted to briefs’ projects for ever',
  memory: 'what post-mortems have learned',
  worktree: 'worktrees of steps on this host',
  fleet: 'workers on all hosts, and their versions',
  store: 'the database of all hosts',
};
