import { ALLOW_OR_HOLD } from '../../plan/budgets/budget';
import type { CommandSpec, OptionSpec } from '../command';
import * as budgetCommand from '../commands/budget';
import * as decideCommand from '../commands/decide';
import { oneOrAll } from '../commands/decide-all';
import * as operateCommand from '../commands/operate';
import * as rerunCommand from '../commands/rerun';
import * as voteCommand from '../commands/vote';
import {
  BY_OPTION,
  COMMENT_OPTION,
  DETACH_OPTION,
  GATE_ARGUMENT,
  GATED_RUN_ARGUMENT,
  JSON_OPTION,
  OPEN_RUN_ARGUMENT,
  REASON_OPTION,
  RUN_ARGUMENT,
  SERVER_OPTIONS,
  SHOWN_OPTION,
  STEP_ARGUMENT,
  TOKEN_OPTION,
  WORKER_OPTION,
} from './options';

const COMMON = [BY_OPTION, JSON_OPTION, ...SERVER_OPTIONS];
const PROOF = [TOKEN_OPTION, SHOWN_OPTION];

const APPROVAL_OPTIONS: readonly OptionSpec[] = [
  { flags: '--all', doc: 'at every open approval gate instead of one run' },
  { flags: '--pipeline <name>', doc: 'with --all: only runs of this pipeline', completes: 'pipeline' },
  COMMENT_OPTION,
  { flags: '--value <json>', doc: 'a value for the decision' },
  ...PROOF,
  DETACH_OPTION,
  ...COMMON,
];

/** Commands that act on runs: people’s decisions, operators’ orders. */
export const DECISION_COMMANDS: readonly CommandSpec[] = [
  {
    name: 'approve',
    summary: 'approve at a gate',
    arguments: [{ ...GATED_RUN_ARGUMENT, form: '[run]' }, GATE_ARGUMENT],
    options: APPROVAL_OPTIONS,
    examples: ['approve 7f3k2a --by chairman --comment "looks good"', 'approve --all --pipeline release --by chairman'],
    load: () => ({ execute: oneOrAll('approve', () => decideCommand.approve) }),
  },
  {
    name: 'reject',
    summary: 'reject at a gate',
    arguments: [{ ...GATED_RUN_ARGUMENT, form: '[run]' }, GATE_ARGUMENT],
    options: APPROVAL_OPTIONS,
    examples: ['reject 7f3k2a approve --by chairman --comment "too risky"'],
    load: () => ({ execute: oneOrAll('reject', () => decideCommand.reject) }),
  },
  {
    name: 'respond',
    summary: 'answer a gate with one of its choices, or with the value it asks for',
    arguments: [GATED_RUN_ARGUMENT, GATE_ARGUMENT],
    options: [{ flags: '--response <json>', doc: 'JSON; anything else is text' }, COMMENT_OPTION, ...PROOF, DETACH_OPTION, ...COMMON],
    examples: ['respond 7f3k2a review --response revise --comment "widen the stop"', 'respond 7f3k2a size --response 3'],
    load: () => ({ execute: decideCommand.respond }),
  },
  {
    name: 'vote',
    summary: 'give your vote on a proposal',
    arguments: [GATED_RUN_ARGUMENT, { ...GATE_ARGUMENT, doc: 'the step in which you vote; default: the only vote that is open' }],
    options: [
      { flags: '--approve', doc: 'vote for the proposal' },
      { flags: '--option <id>', doc: 'vote for this option' },
      { flags: '--reject', doc: 'vote against the proposal' },
      { flags: '--abstain', doc: 'vote neither for nor against the proposal' },
      { flags: '--rationale <text>', doc: 'why; always needed' },
      { flags: '--condition <text>', doc: 'what must hold if the proposal passes', repeated: true },
      { flags: '--blocking', doc: 'with --reject: no majority outweighs this vote' },
      { flags: '--confidence <number>', doc: 'how sure you are, from 0 to 1' },
      ...PROOF,
      DETACH_OPTION,
      ...COMMON,
    ],
    examples: [
      'vote 7f3k2a decide --by cfo --approve --rationale "cheaper within a year" --condition "keep the old one readable"',
      'vote 7f3k2a decide --by cfo --option argon2id --rationale "what is advised"',
    ],
    load: () => voteCommand,
  },
  {
    name: 'delegate',
    summary: 'delegate your vote at a gate to somebody else',
    arguments: [GATED_RUN_ARGUMENT, GATE_ARGUMENT],
    options: [{ flags: '--to <who>', doc: 'who decides instead of you', completes: 'person' }, COMMENT_OPTION, ...PROOF, ...COMMON],
    examples: ['delegate 7f3k2a approve --by chairman --to cfo --comment "on leave"'],
    load: () => ({ execute: decideCommand.delegate }),
  },
  {
    name: 'message',
    summary: 'send a message to an agent’s inbox, or to a member of a board',
    arguments: [
      OPEN_RUN_ARGUMENT,
      { form: '<to>', doc: 'an agent’s id, a member’s name, or lead', completes: 'agent' },
      { form: '<text>', doc: 'the message' },
    ],
    options: [...COMMON],
    examples: ['message 7f3k2a quant_strategist "mind the CPI print at 12:30 UTC"'],
    load: () => ({ execute: operateCommand.sendMessage }),
  },
  {
    name: 'emit',
    summary: 'add an item to the stream of a running step',
    arguments: [OPEN_RUN_ARGUMENT, { form: '<step>', doc: 'a running step with `emits`' }],
    options: [{ flags: '--item <json>', doc: 'the item' }, ...COMMON],
    examples: [`emit 7f3k2a make --item '{"id":"a7"}'`],
    load: () => ({ execute: operateCommand.emit }),
  },
  {
    name: 'pause',
    summary: 'start no new steps; running ones finish',
    arguments: [OPEN_RUN_ARGUMENT],
    options: [REASON_OPTION, ...COMMON],
    examples: ['pause 7f3k2a --reason "exchange is down"'],
    load: () => ({ execute: operateCommand.pause }),
  },
  {
    name: 'unpause',
    summary: 'continue after a pause',
    arguments: [{ ...RUN_ARGUMENT, completes: 'paused-run' }],
    options: [REASON_OPTION, DETACH_OPTION, ...COMMON],
    examples: ['unpause 7f3k2a'],
    load: () => ({ execute: operateCommand.unpause }),
  },
  {
    name: 'post-mortem',
    summary: 'ask a run for a post-mortem once it is over',
    arguments: [OPEN_RUN_ARGUMENT],
    options: [...COMMON],
    examples: ['post-mortem 7f3k2a'],
    load: () => ({ execute: operateCommand.postMortem }),
  },
  {
    name: 'retry',
    summary: 'try a held or failed step again',
    arguments: [OPEN_RUN_ARGUMENT, { ...STEP_ARGUMENT, completes: 'held-step' }],
    options: [{ flags: '--with <json>', doc: 'replaces the step’s inputs' }, REASON_OPTION, DETACH_OPTION, ...COMMON],
    examples: ['retry 7f3k2a structure'],
    load: () => ({ execute: operateCommand.retry }),
  },
  {
    name: 'skip',
    summary: 'skip a held or failed step',
    arguments: [OPEN_RUN_ARGUMENT, { ...STEP_ARGUMENT, completes: 'held-step' }],
    options: [REASON_OPTION, DETACH_OPTION, ...COMMON],
    examples: ['skip 7f3k2a bear'],
    load: () => ({ execute: operateCommand.skip }),
  },
  {
    name: 'abort',
    summary: 'end a run as failed',
    arguments: [OPEN_RUN_ARGUMENT],
    options: [REASON_OPTION, DETACH_OPTION, ...COMMON],
    examples: ['abort 7f3k2a --reason "wrong market"'],
    load: () => ({ execute: operateCommand.abort }),
  },
  {
    name: 'budget',
    summary: 'set new ceilings for a run or a step, or show the state of its budgets',
    arguments: [OPEN_RUN_ARGUMENT],
    options: [
      { flags: '--tokens <count>', doc: 'total tokens' },
      { flags: '--usd <dollars>', doc: 'total US dollars' },
      { flags: '--wall-clock <duration>', doc: 'time from the start of the run or step, such as 2h' },
      { flags: '--tool-calls <count>', doc: 'tool calls of one step' },
      { flags: '--retries <count>', doc: 'tries of one step after the first' },
      { flags: '--on-unknown-cost <what>', doc: 'whether an agent of unknown cost may run', choices: ALLOW_OR_HOLD },
      { flags: '--on-unlimited <what>', doc: 'whether an agent whose replies cannot be limited may run', choices: ALLOW_OR_HOLD },
      { flags: '--step <step>', doc: 'the budget of this step instead of the run', completes: 'step' },
      DETACH_OPTION,
      ...COMMON,
    ],
    examples: ['budget 7f3k2a', 'budget 7f3k2a --tokens 120000 --usd 5'],
    load: () => budgetCommand,
  },
  {
    name: 'rerun',
    summary: 'start a new run from a step, with the results of the steps before it',
    arguments: [RUN_ARGUMENT],
    options: [
      {
        flags: '--from <step>',
        doc: 'the step to begin from: an id, or an address such as par[0]/a, each[3]/lint, deploy/build; default: the failed step, or the first that reads what --set changes',
        completes: 'step',
      },
      { flags: '--set <name=value>', doc: 'a new value for an arg; steps that read it run again', repeated: true },
      { flags: '--script <name>', doc: 'another script next to the pipeline; default: that of the original run', completes: 'script' },
      { flags: '--live', doc: 'real models, no script' },
      { flags: '--id <id>', doc: 'the new run’s id instead of a generated one' },
      TOKEN_OPTION,
      WORKER_OPTION,
      { ...DETACH_OPTION, doc: 'start the new run and return at once' },
      JSON_OPTION,
      ...SERVER_OPTIONS,
    ],
    examples: ['rerun 7f3k2a', 'rerun 7f3k2a --from converge', 'rerun 7f3k2a --set market=GBPUSD'],
    load: () => rerunCommand,
  },
  {
    name: 'cancel',
    summary: 'cancel a run; its artifacts are kept',
    arguments: [OPEN_RUN_ARGUMENT],
    options: [REASON_OPTION, DETACH_OPTION, ...COMMON],
    examples: ['cancel 7f3k2a --reason "wrong market"'],
    load: () => ({ execute: operateCommand.cancel }),
  },
];
