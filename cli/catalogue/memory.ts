import type { ArgumentSpec, CommandSpec } from '../command';
import * as memoryCommand from '../commands/memory';
import { JSON_OPTION, PIPELINE_ARGUMENT } from './options';

const OF_ARGUMENT: ArgumentSpec = {
  ...PIPELINE_ARGUMENT,
  form: '<memory>',
  doc: 'a memory file, whose name ends in .md, or the pipeline whose memory is meant',
};

/** Commands on what post-mortems have learned. */
export const MEMORY_COMMANDS: readonly CommandSpec[] = [
  {
    name: 'memory list',
    summary: 'show what a memory has: how many runs have confirmed it, since when, and what cannot be read',
    arguments: [OF_ARGUMENT],
    options: [JSON_OPTION],
    examples: ['memory list team.md', 'memory list daily_quant_pipeline --json'],
    load: () => ({ execute: memoryCommand.list }),
  },
  {
    name: 'memory forget',
    summary: 'remove entries from a memory file',
    arguments: [OF_ARGUMENT, { form: '<entries...>', doc: 'ids, as `memory list` shows them' }],
    options: [JSON_OPTION],
    examples: ['memory forget team.md m-1a2b3c4d'],
    load: () => ({ execute: memoryCommand.forget }),
  },
];
