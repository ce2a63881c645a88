// The world of a merge queue while its history is recorded: a repository in memory, where a commit is the list of what was merged into it,
// in order, with commas between. Tests, and anything else that a case delays, wait for it.
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const { ApplicationFailure, Context } = require('@temporalio/activity');
const { loadState, saveState } = require('../../dist/activities/run/run-state.js');
const { MemoryArtifacts, MemoryControl, MemoryLedger } = require('../../dist/records/memory/memory-store.js');

const TARGET = { repository: '/srv/library', refsIn: 'repository', branch: 'main' };
const RULES = { timeoutMs: 60_000, batch: 1, speculate: 2, strategy: 'merge', restricted: [], test: 'npm test' };

/** @param candidates by name: `red`, `conflicts` and `breaks` with others, `priority`, `fails` with a code */
export function queueWorld({ candidates = {}, rules = {} }) {
  let target = 'first';
  const stores = { artifacts: new MemoryArtifacts(), control: new MemoryControl(), ledger: new MemoryLedger() };
  const key = { workflowId: 'queue', run: 'first' };
  const held = new Map();
  const of = (name) => candidates[name] ?? {};
  const namesIn = (commit) => commit.split(',').slice(1);
  const isGreen = (commit) =>
    namesIn(commit).every((name) => !of(name).red && !(of(name).breaks ?? []).some((one) => namesIn(commit).includes(one)));

  function merged({ onto = target, candidates: asked }) {
    let result = onto;
    const parts = asked.map(({ ticket, asked: { name } }) => {
      const { conflicts = [], fails } = of(name);
      if (fails) throw ApplicationFailure.nonRetryable('it is not there; check the name', fails);
      if (namesIn(result).includes(name)) return { ticket, kind: 'already' };
      if (conflicts.some((one) => namesIn(result).includes(one))) return { ticket, kind: 'conflict', paths: ['src/index.ts'] };
      result = `${result},${name}`;
      return { ticket, kind: 'merged', commit: result };
    });
    return { onto, result, parts };
  }

  return {
    /** Tests of commits with this candidate wait until they are released. */
    hold(name) {
      let letGo;
      const promise = new Promise((resolve) => {
        letGo = resolve;
      });
      held.set(name, { promise, letGo });
    },
    letGo: (name) => held.get(name)?.letGo(),
    personMoves: (name) => {
      target = `${target},${name}`;
    },
    activities: {
      admitCandidate: async ({ asked: { name } }) => {
        const { priority = 3 } = of(name);
        return { kind: 'admitted', target: TARGET, candidate: { candidate: name, title: `Add ${name}`, author: 'engineer', priority } };
      },
      queueSettings: async () => ({ ...RULES, ...rules }),
      mergeCandidates: async (input) => merged(input),
      testMerged: async ({ commit }) => {
        await beating(Promise.all(namesIn(commit).map((name) => held.get(name)?.promise)));
        return isGreen(commit)
          ? { kind: 'green' }
          : { kind: 'red', of: 'queue', reason: 'the command ended with exit code 1', tail: 'not ok 1\n' };
      },
      advanceTarget: async ({ from, to }) => {
        if (target !== from) return { kind: 'stale' };
        target = to;
        return { kind: 'moved' };
      },
      concludeTickets: async () => undefined,
      saveState: (input) => saveState(stores, key, input),
      loadState: (input) => loadState(stores, key, input),
    },
  };
}

/** A worker learns by heartbeats that an activity is cancelled. */
async function beating(work) {
  const context = Context.current();
  const beat = setInterval(() => context.heartbeat(), 20);
  try {
    await Promise.race([work, context.cancelled]);
  } finally {
    clearInterval(beat);
  }
}
