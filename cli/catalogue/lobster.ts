import type { CommandSpec } from '../command';

/** Lobster's own command line, whose words are not ours to parse. */
export const LOBSTER_COMMANDS: readonly CommandSpec[] = [
  {
    name: 'lobster',
    summary: 'Lobster’s own command line, with durable runs: run, resume, graph, doctor (`thermidor lobster help`)',
    arguments: [{ form: '[words...]', doc: 'as `lobster` takes them', completes: 'file' }],
    raw: true,
    examples: ['lobster run --mode tool --file release.lobster', 'lobster resume --id 2f6c01ab --approve yes'],
    load: () => require('../commands/lobster') as typeof import('../commands/lobster'),
  },
];
