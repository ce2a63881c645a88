import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/**
 * The writers of the ledger, and what keeps a superseded attempt that still runs from doing harm there. A new writer gets a line here.
 * What these rest on: `log-writer-claims.ts` and `record-lines.ts` (claims), `test/properties/paused-workers.test.ts` (that they hold).
 */
const FENCES: Readonly<Record<string, readonly string[]>> = {
  'agent/transcript.ts': [
    'claim: a transcript has one writer, the attempt that was scheduled last; every line of it goes through the claim',
    'append: each attempt notes its own requests, after a look at the claim; nothing is decided by them',
    'note: the same, where the prompt behind it is durable before anything is paid for',
    'claim: of the try that this one adopts; an attempt that still runs it adds nothing more',
  ],
  'agent/budget/account.ts': [
    'claim: the account of a session, once a try, by the writer of its transcript',
    'claim: of the transcript, before a failure is noted: an attempt that was taken over fails here',
    'claim: of the account, for that failure',
  ],
  'agent/children/child-records.ts': ['putIfAbsent: the first result of a child stays, and its parent gets that one'],
  'agent/moved-folder.ts': ['append: where a try works; a repeated line says the same, and an attempt that was taken over did work there'],
  'agent/moved-tree.ts': ['append: in which worktree a call works; what a late attempt adds has its agent told once more of the newer one'],
  'agent/member-messages.ts': ['append: what comes for a member in one of its turns; each message has an id, and is read once'],
  'intents.ts': [
    'recordLog: claimed with the name of the call; what begins or is recorded looks at the claim',
    'recordLog: claimed with the name of the call; only says when it began',
  ],
  'commands/command-chain.ts': ['recordLog: claimed with the names of all commands that are not done'],
  'commands/chain-record.ts': ['recordLog: only read'],
  'run/ledger-lookup.ts': ['recordLog: only read'],
  'once.ts': ['putIfAbsent: the first result of a call stays, and everybody answers with that one'],
  'run/open-run.ts': ['putIfAbsent: the first record of a run stays, and everybody goes by that one'],
  'run/run-state.ts': ['putIfAbsent: a state is named by its content'],
  'run/child-order.ts': [
    'putIfAbsent: the first order that a child is given counts',
    'append: orders count once for each execution that gives them',
    'append: a run takes an order once, and the first in the log has it',
  ],
  'run/end-record.ts': ['append: the last of several ends of a run counts, and a repetition says the same'],
  'run/tell-closed.ts': ['putIfAbsent: how a closed run was reported, which the first that has reported it records'],
  'run/begins-alone.ts': ['recordLog: claimed by the worker that looks after a closed run; another takes over under the same name'],
  'run/run-messages.ts': ['append: lines are numbered by the execution that says them, and each number counts once'],
  'gates/used-proofs.ts': ['putIfAbsent: a proof counts for the run that brings it first'],
  'gates/delivery.ts': [
    'putIfAbsent: that a message was delivered; every attempt sends it under the same key',
    'putIfAbsent: that a channel refused a message for good, which is read where it was not delivered',
  ],
  'gates/approved-action.ts': ['putIfAbsent: a yes is used by the action that comes first, whichever attempt does that'],
  'streams/record-items.ts': [
    'append: the first item of a key counts, whichever attempt says it; what comes after the end of the producer is not read',
  ],
  'streams/emitted.ts': ['note: how many items no longer wait, of which the largest number counts'],
  'tools/authorise.ts': ['putIfAbsent: a yes is used by the call that comes first, whichever attempt makes it'],
  'tools/begin-once.ts': [
    'putIfAbsent: what must not begin twice is begun by the first writer, if no other has claimed the transcript since',
  ],
  'tools/sessions/agent-exchanges.ts': [
    'append: an exchange counts once for its talk and turn, the first; noted after a look at the claim of the talk',
  ],
  'worktrees/epochs.ts': ['putIfAbsent: an epoch of a worktree belongs to the host that comes first'],
  'worktrees/slot-record.ts': ['putIfAbsent: what is settled of a worktree first stays, and every host makes that'],
  'tools/files/edit-file.ts': ['append: what a file is to become, by its content; the file is written if it still is what was read'],
};

const ACTIVITIES = join(__dirname, '../../activities');
const WRITES = /\bledger\s*\.(append|note|claim|putIfAbsent|recordLog)\(/g;

function writers(): Record<string, string[]> {
  const files = readdirSync(ACTIVITIES, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  const found = files.map((name): [string, string[]] => {
    const text = readFileSync(join(ACTIVITIES, name), 'utf8');
    return [relative('.', name), [...text.matchAll(WRITES)].map(([, how = '']) => how)];
  });
  return Object.fromEntries(found.filter(([, how]) => how.length > 0));
}

test('every writer of the ledger has a fence against attempts that go on late, and each fence a writer', () => {
  const fenced = Object.entries(FENCES).map(([file, fences]) => [file, fences.map((fence) => fence.slice(0, fence.indexOf(':')))]);
  expect(writers()).toEqual(Object.fromEntries(fenced));
});
