import type { CommandSpec } from '../command';
import { DECISION_COMMANDS } from './decisions';
import { LOBSTER_COMMANDS } from './lobster';
import { PIPELINE_COMMANDS } from './pipelines';
import { RUN_COMMANDS } from './runs';
import { SERVICE_COMMANDS } from './services';

/** Every command, in the order that help shows them. Parser, help and completion are made from this. */
export const CATALOGUE: readonly CommandSpec[] = [
  ...PIPELINE_COMMANDS,
  ...RUN_COMMANDS,
  ...DECISION_COMMANDS,
  ...SERVICE_COMMANDS,
  ...LOBSTER_COMMANDS,
];

/** What a noun means, for the help of commands that are a noun and a verb. */
export const NOUNS: Readonly<Record<string, string>> = { schedule: 'triggers and Temporal Schedules' };
