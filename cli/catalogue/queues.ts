import type { CommandSpec } from '../command';
import * as queueCommand from '../commands/queue';
import { BY_OPTION, JSON_OPTION, SERVER_OPTIONS } from './options';

const REPO = { form: '<repo>', doc: 'a folder of the repository, or its URL' };
const BRANCH = { form: '<branch>', doc: 'the branch that the queue moves' };
const REMOTE = { flags: '--remote <name>', doc: 'the queue of this remote’s branch, such as origin' };
const COMMON = [REMOTE, JSON_OPTION, ...SERVER_OPTIONS];

/** Merge queues. */
export const QUEUE_COMMANDS: readonly CommandSpec[] = [
  {
    name: 'queue',
    summary: 'show merge queues: what is tested, what waits, what came back and why',
    arguments: [
      { ...REPO, form: '[repo]' },
      { ...BRANCH, form: '[branch]' },
    ],
    options: COMMON,
    examples: ['queue', 'queue . main', 'queue . main --remote origin --json'],
    load: () => ({ execute: queueCommand.show }),
  },
  {
    name: 'queue submit',
    summary: 'submit a commit to a merge queue',
    arguments: [REPO, BRANCH, { form: '<commit>', doc: 'a commit, branch or tag' }],
    options: [
      { flags: '--test <command>', doc: 'a command to run in the merged tree, in addition to the queue’s own test' },
      { flags: '--priority <number>', doc: '1 is first; 3 if left out' },
      { flags: '--title <text>', doc: 'what the commit is, for the message of the merge' },
      BY_OPTION,
      ...COMMON,
    ],
    examples: ['queue submit . main my-branch', 'queue submit . main HEAD --remote origin --test "npm test"'],
    load: () => ({ execute: queueCommand.submit }),
  },
  {
    name: 'queue pause',
    summary: 'stop a merge queue: nothing begins and the branch does not move',
    arguments: [REPO, BRANCH],
    options: [{ flags: '--reason <text>', doc: 'why' }, BY_OPTION, ...COMMON],
    examples: ['queue pause . main --reason "release"'],
    load: () => ({ execute: queueCommand.pause }),
  },
  {
    name: 'queue resume',
    summary: 'let a merge queue continue',
    arguments: [REPO, BRANCH],
    options: [BY_OPTION, ...COMMON],
    examples: ['queue resume . main'],
    load: () => ({ execute: queueCommand.resume }),
  },
  {
    name: 'queue drop',
    summary: 'take a candidate out of a merge queue',
    arguments: [REPO, BRANCH, { form: '<ticket>', doc: 'its number' }],
    options: [BY_OPTION, ...COMMON],
    examples: ['queue drop . main 12'],
    load: () => ({ execute: queueCommand.drop }),
  },
];
