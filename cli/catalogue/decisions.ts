import type { CommandSpec } from '../command';
import {
  BY_OPTION,
  COMMENT_OPTION,
  DETACH_OPTION,
  GATE_ARGUMENT,
  JSON_OPTION,
  REASON_OPTION,
  RUN_ARGUMENT,
  SERVER_OPTIONS,
  STEP_ARGUMENT,
} from './options';

const COMMON = [BY_OPTION, JSON_OPTION, ...SERVER_OPTIONS];
const decide = (): typeof import('../commands/decide') => require('../commands/decide') as typeof import('../commands/decide');
const operate = (): typeof import('../commands/operate') => require('../commands/operate') as typeof import('../commands/operate');

/** Commands that act on runs: people’s decisions, operators’ orders. */
export const DECISION_COMMANDS: readonly CommandSpec[] = [
  {
    name: 'approve',
    summary: 'approve at a gate',
    arguments: [RUN_ARGUMENT, GATE_ARGUMENT],
    options: [COMMENT_OPTION, { flags: '--value <json>', doc: 'a value that goes with the decision' }, DETACH_OPTION, ...COMMON],
    examples: ['approve 7f3k2a --by chairman --comment "looks good"'],
    load: () => ({ execute: decide().approve }),
  },
  {
    name: 'reject',
    summary: 'reject at a gate',
    arguments: [RUN_ARGUMENT, GATE_ARGUMENT],
    options: [COMMENT_OPTION, { flags: '--value <json>', doc: 'a value that goes with the decision' }, DETACH_OPTION, ...COMMON],
    examples: ['reject 7f3k2a approve --by chairman --comment "too risky"'],
    load: () => ({ execute: decide().reject }),
  },
  {
    name: 'respond',
    summary: 'answer a gate with one of its choices, or with the value it asks for',
    arguments: [RUN_ARGUMENT, GATE_ARGUMENT],
    options: [
      { flags: '--response <json>', doc: 'JSON, or text where it does not read as JSON' },
      COMMENT_OPTION,
      DETACH_OPTION,
      ...COMMON,
    ],
    examples: ['respond 7f3k2a review --response revise --comment "widen the stop"', 'respond 7f3k2a size --response 3'],
    load: () => ({ execute: decide().respond }),
  },
  {
    name: 'message',
    summary: 'put a message into an agent’s inbox',
    arguments: [RUN_ARGUMENT, { form: '<to>', doc: 'an agent’s id' }, { form: '<text>', doc: 'what to say' }],
    options: [...COMMON],
    examples: ['message 7f3k2a quant_strategist "mind the CPI print at 12:30 UTC"'],
    load: () => ({ execute: operate().message }),
  },
  {
    name: 'pause',
    summary: 'start no new step; running ones finish',
    arguments: [RUN_ARGUMENT],
    options: [REASON_OPTION, ...COMMON],
    examples: ['pause 7f3k2a --reason "exchange is down"'],
    load: () => ({ execute: operate().pause }),
  },
  {
    name: 'unpause',
    summary: 'go on after a pause',
    arguments: [RUN_ARGUMENT],
    options: [REASON_OPTION, DETACH_OPTION, ...COMMON],
    examples: ['unpause 7f3k2a'],
    load: () => ({ execute: operate().unpause }),
  },
  {
    name: 'retry',
    summary: 'try a held or failed step again',
    arguments: [RUN_ARGUMENT, STEP_ARGUMENT],
    options: [{ flags: '--with <json>', doc: 'replaces the step’s inputs' }, REASON_OPTION, DETACH_OPTION, ...COMMON],
    examples: ['retry 7f3k2a structure'],
    load: () => ({ execute: operate().retry }),
  },
  {
    name: 'skip',
    summary: 'pass over a held or failed step',
    arguments: [RUN_ARGUMENT, STEP_ARGUMENT],
    options: [REASON_OPTION, DETACH_OPTION, ...COMMON],
    examples: ['skip 7f3k2a bear'],
    load: () => ({ execute: operate().skip }),
  },
  {
    name: 'abort',
    summary: 'end a run as failed',
    arguments: [RUN_ARGUMENT],
    options: [REASON_OPTION, DETACH_OPTION, ...COMMON],
    examples: ['abort 7f3k2a --reason "wrong market"'],
    load: () => ({ execute: operate().abort }),
  },
  {
    name: 'cancel',
    summary: 'cancel a run; its artifacts are kept',
    arguments: [RUN_ARGUMENT],
    options: [DETACH_OPTION, JSON_OPTION, ...SERVER_OPTIONS],
    examples: ['cancel 7f3k2a'],
    load: () => ({ execute: operate().cancel }),
  },
];
