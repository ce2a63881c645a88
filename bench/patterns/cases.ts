/** Agents' replies, by step. */
type Replies = Record<string, readonly object[]>;

/** A pattern, and the same work written by hand without it: two pipelines, with scripts of their agents' answers. */
export interface PatternCase {
  name: string;
  pattern: object;
  byHand: object;
  replies?: Record<'pattern' | 'byHand', Replies>;
}

const ITEMS = 1000;
const AT_ONCE = 16;
const VOTERS = ['ann', 'ben', 'cleo', 'dan', 'eve'];

/**
 * All items exist from the start on both sides: the gain of a stream, that work begins before the last item is found, is not part of the
 * figures.
 */
const STREAM: PatternCase = {
  name: 'stream-1000',
  pattern: {
    name: 'stream',
    schemas: { 'Item.json': { type: 'object', required: ['id'] } },
    steps: [
      { id: 'make', run: `seq ${ITEMS} | sed 's/.*/::item:: {"id": "&"}/'`, emits: 'Item.json', max_items: ITEMS, max_waiting: 100 },
      loopOver({ stream: 'make', key: 'id' }),
    ],
  },
  byHand: {
    name: 'list',
    steps: [{ id: 'make', run: `echo "[$(seq ${ITEMS} | sed 's/.*/{"id": "&"}/' | paste -sd,)]"` }, loopOver('$make.json')],
  },
};

function loopOver(what: object | string): object {
  return { id: 'each', for_each: what, max_concurrent: AT_ONCE, steps: [{ id: 'use', run: 'true' }] };
}

/** The hand-written version does not check votes, count missing ones, or ask again. */
const CONSENSUS: PatternCase = {
  name: 'consensus-5',
  pattern: {
    name: 'vote',
    agents: agentsOf(VOTERS),
    steps: [{ id: 'decide', type: 'consensus', proposal: 'Shall we?', voters: VOTERS, rounds: 1 }],
  },
  byHand: {
    name: 'ballots',
    agents: agentsOf(VOTERS),
    schemas: { 'Ballot.json': { type: 'object', required: ['vote', 'rationale'] } },
    steps: [
      {
        id: 'decide',
        parallel: {
          branches: VOTERS.map((agent) => ({
            id: `decide_${agent}`,
            agent,
            prompt: 'Shall we?',
            output: 'Ballot.json',
          })),
        },
      },
      { id: 'count', run: `echo ${VOTERS.map((agent) => `\${decide_${agent}.vote}`).join(' ')} | tr ' ' '\\n' | grep -c APPROVE` },
    ],
  },
  replies: { pattern: ballots(), byHand: ballots() },
};

function ballots(): Replies {
  const json = { proposalId: 'decide-1', vote: 'APPROVE', rationale: 'It is good.' };
  return Object.fromEntries(VOTERS.map((agent) => [`decide_${agent}`, [{ json }]]));
}

const TASKS = Array.from({ length: 50 }, (_, i) => ({ id: `t${i + 1}`, title: `Task ${i + 1}`, depends_on: i === 0 ? [] : [`t${i}`] }));

/**
 * An agent writes a file, and a command checks it, fifty times in one worktree. The hand-written version fixes, rolls back and blocks
 * nothing.
 */
const INCREMENTS: PatternCase = {
  name: 'increments-50',
  pattern: {
    name: 'delivery',
    agents: { coder: { role: 'You write.' } },
    steps: [{ id: 'deliver', type: 'increments', plan: TASKS, executor: 'coder', gates: { no_regression: 'true' } }],
  },
  byHand: {
    name: 'tasks',
    agents: { coder: { role: 'You write.' } },
    schemas: { 'Done.json': { type: 'object', required: ['summary', 'findings', 'artifacts'] } },
    steps: TASKS.flatMap(({ id, title }, i) => [
      { id, agent: 'coder', prompt: title, output: 'Done.json', worktree: i === 0 ? true : 't1' },
      { id: `check_${id}`, run: 'true', worktree: 't1' },
    ]),
  },
  replies: {
    pattern: { deliver_executor: TASKS.map((_, i) => ({ iteration: i + 1, ...fileWritten(i) })) },
    byHand: Object.fromEntries(TASKS.map(({ id }, i) => [id, [fileWritten(i)]])),
  },
};

function fileWritten(i: number): object {
  return {
    calls: [{ tool: 'write_file', args: { path: `file-${i}.txt`, content: `${i}\n` } }],
    json: { summary: 'Done.', findings: [], artifacts: [] },
  };
}

function agentsOf(names: readonly string[]): Record<string, object> {
  return Object.fromEntries(names.map((name) => [name, { role: 'You vote.' }]));
}

export const PATTERN_CASES: readonly PatternCase[] = [STREAM, CONSENSUS, INCREMENTS];
