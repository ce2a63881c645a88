import { RETROSPECTIVE_SCHEMA } from '../../kinds/post-mortem/rules/answer';
import { type Execution, isNotable, minedExecution, mineEntry, openMining } from '../../plan/patterns/execution';
import {
  EXECUTION_DOCUMENT,
  type MinedRun,
  type PostMortemGiven,
  postMortem,
  readRetrospective,
  retrospectiveDocument,
} from '../../plan/patterns/post-mortem';
import { rankTexts, sameness } from '../../plan/patterns/rank-texts';
import type { JournalEntry, JournalEvent } from '../../plan/run/journal';
import type { Json } from '../../plan/text/json';
import { chance } from '../caid/chance';

const entries = (events: readonly JournalEvent[]): JournalEntry[] =>
  events.map((event, i) => ({ seq: i + 1, at: '2026-01-02T00:00:00Z', ...event }));

function mined(...events: JournalEvent[]): Execution {
  const mining = openMining((path) => !path.startsWith('post_mortem'));
  for (const entry of entries(events)) mineEntry(mining, entry);
  return minedExecution(mining);
}

const step = (name: string, state: 'running' | 'done' | 'skipped' | 'failed', code?: string): JournalEvent => ({
  ...({ kind: 'step', step: name, state } as const),
  ...(code === undefined ? {} : { error: { code, message: `${name} is broken` } }),
});
const said = (
  stepName: string,
  from: string,
  to: string,
  intent: 'assign_task' | 'review_request' | 'deliver_report' | 'escalate',
  payload: Json = {},
): JournalEvent => ({
  ...{ kind: 'envelope', step: stepName },
  envelope: { from, to, intent, ref_task: `run/${stepName}`, payload, expect_response: true },
});
const FINDINGS = { findings: { review: 'check' } };

describe('what a journal says of a run', () => {
  it('CP-10 · workflow · each task once, whatever its rounds and tries, and what has come of it', () => {
    const { execution_summary } = mined(
      step('draft', 'running'),
      step('draft', 'running', 'agent.timeout'),
      step('draft', 'done'),
      step('draft#2', 'running'),
      step('draft#2', 'failed', 'reply.invalid'),
      step('build[0]/test', 'done'),
      step('build[1]/test', 'done'),
      step('late', 'skipped'),
      step('post_mortem', 'running'),
    );
    expect(execution_summary).toEqual({ total_tasks: 4, completed: 2, total_messages: 0, escalations: 0, fix_cycles: 0, errors: 2 });
  });

  it('CP-10 · workflow · what agents have done is taken from who was asked, not from what they say', () => {
    const { agents, execution_summary } = mined(
      said('draft', 'boss', 'writer', 'assign_task'),
      step('draft', 'running', 'agent.timeout'),
      step('draft', 'done'),
      said('draft', 'writer', 'boss', 'deliver_report', { errors: 0, completed: 99 }),
      said('check', 'boss', 'critic', 'review_request'),
      step('check', 'done'),
    );
    expect(execution_summary).toMatchObject({ total_messages: 3, errors: 1 });
    expect(agents).toEqual([
      { agent: 'writer', tasks: 1, completed: 1, fix_cycles: 0, messages: 2, errors: ['draft: agent.timeout: draft is broken'] },
      { agent: 'critic', tasks: 1, completed: 1, fix_cycles: 0, messages: 1, errors: [] },
    ]);
  });

  it('CP-10 · workflow · work that came back counts once, as signal, as task, or as both', () => {
    const signal: JournalEvent = {
      kind: 'pattern',
      step: 'check',
      type: 'fix_required',
      to: 'writer',
      data: { iteration: 1, findings: {} },
    };
    const task = said('draft#2', 'boss', 'writer', 'assign_task', FINDINGS);
    expect(mined(task).execution_summary.fix_cycles).toBe(1);
    expect(mined(signal).execution_summary.fix_cycles).toBe(1);
    expect(mined(signal, task, signal, task).execution_summary.fix_cycles).toBe(2);
    expect(mined({ kind: 'team', step: 'build', event: 'returned', engineer: 'engineer-1' }).execution_summary.fix_cycles).toBe(1);
  });

  it('CP-10 · workflow · an escalation counts once, and what it has found is a root cause', () => {
    const chain = [{ level: 0, agent: 'a', attempts: 2, diagnosis: 'no lockfile', recommendation: 'commit the lockfile' }];
    const signal: JournalEvent = {
      ...({ kind: 'pattern', step: 'rescue', type: 'escalate' } as const),
      data: { issue: 'red', from_level: 0, to_level: 1, attempts_at_current: 2, diagnosis_chain: chain },
    };
    const { execution_summary, root_causes } = mined(signal, said('rescue', 'a', 'b', 'escalate'), said('other', 'a', 'b', 'escalate'));
    expect(execution_summary.escalations).toBe(2);
    expect(root_causes).toEqual([{ cause: 'no lockfile', prevention: 'commit the lockfile' }]);
  });

  it('CP-10 · workflow · a signal that does not count is left out', () => {
    const data = { perspective: 'p', root_cause: 'x', confidence: 1, fix_suggestion: 'y' };
    expect(mined({ kind: 'pattern', step: 's', type: 'swarm_diagnosis', refused: 'late', data }).root_causes).toEqual([]);
    expect(mined({ kind: 'pattern', step: 's', type: 'swarm_diagnosis', data }).root_causes).toHaveLength(1);
  });

  it('CP-10 · workflow · however many kinds of errors there are, the report keeps fifty, and counts all', () => {
    const { troubles, execution_summary } = mined(...Array.from({ length: 300 }, (_, i) => step(`s${i}`, 'failed', 'command.failed')));
    expect([troubles.length, execution_summary.errors]).toEqual([50, 300]);
  });

  it.each<[Partial<Execution['execution_summary']>, string, boolean]>([
    [{}, 'completed', false],
    [{ errors: 1 }, 'completed', true],
    [{ escalations: 1 }, 'completed', true],
    [{ fix_cycles: 1 }, 'completed', true],
    [{}, 'failed', true],
    [{}, 'rejected', true],
    [{}, 'cancelled', true],
  ])(
    'CP-10 · entry · a run is notable where it did not complete, or had errors, escalations or work that came back: %j, %s, %s',
    (more, end, notable) => {
      const none = { total_tasks: 1, completed: 1, total_messages: 9, escalations: 0, fix_cycles: 0, errors: 0 };
      expect(isNotable({ ...none, ...more }, end)).toBe(notable);
    },
  );
});

const RUN: MinedRun = {
  ...{ execution_summary: { total_tasks: 3, completed: 3, total_messages: 9, escalations: 0, fix_cycles: 0, errors: 0 } },
  agents: [{ agent: 'b', tasks: 3, completed: 2, fix_cycles: 1, messages: 4, errors: ['draft: agent.timeout: slow'] }],
  ...{ troubles: [], root_causes: [], end: { state: 'completed' }, partial: [] },
};
const retro = (more: Record<string, Json> = {}): Json => ({ went_well: [], difficult: [], suggestions: [], patterns: [], ...more });

function reported(answers: Record<string, Json>, missing: Record<string, string> = {}, run: Partial<MinedRun> = {}) {
  const asked: PostMortemGiven['asked'] = [
    ...Object.keys(answers).map((agent) => ({ agent })),
    ...Object.entries(missing).map(([agent, reason]) => ({ agent, missing: reason })),
  ];
  const documents = Object.fromEntries(Object.entries(answers).map(([agent, value]) => [retrospectiveDocument(agent), value]));
  const execution = JSON.parse(JSON.stringify({ ...RUN, ...run })) as Json;
  return postMortem({ team: 't', timestamp: '2026-01-02T00:00:00Z', asked }, { [EXECUTION_DOCUMENT]: execution, ...documents });
}

describe('the report of a post-mortem', () => {
  it('CP-10 · success · has each finding once, what more agents say first', () => {
    const { result, values } = reported({
      a: retro({ went_well: ['Fast.'], patterns: ['Lint first', 'Ask early'], suggestions: ['Pin versions'] }),
      c: retro({ patterns: ['ask  early!'], suggestions: ['More time', 'pin versions'] }),
    });
    expect(result).toEqual({
      ...{ team: 't', timestamp: '2026-01-02T00:00:00Z', execution_summary: RUN.execution_summary },
      ...{ what_went_well: ['Fast.'], what_was_difficult: [], improvement_actions: ['Pin versions', 'More time'] },
      ...{
        reusable_patterns: ['Ask early', 'Lint first'],
        recommendations: ['2 agents suggest: Pin versions'],
        root_causes: [],
        confirmed: [],
      },
      sources: [
        { agent: 'a', from: 'retrospective' },
        { agent: 'c', from: 'retrospective' },
      ],
    });
    expect(values.findings.map(({ agent }) => agent)).toEqual(['a', 'c']);
  });

  it.each<[string, Record<string, Json>, Record<string, string>]>([
    ['silence/abstention · of an agent that says nothing the journal speaks, and the report says so', {}, { b: 'it was not done in time' }],
    ['fallbacks · of an agent that is gone the journal speaks, and the report says so', {}, { b: 'adapter.unavailable: no adapter' }],
    ['fallbacks · of an agent whose answer is none the journal speaks, and the report says so', { b: 'fine!' }, {}],
  ])('CP-10 · %s', (_, answers, missing) => {
    const { result } = reported(answers, missing);
    expect(result).toMatchObject({
      what_went_well: ['b completed 2 of 3 tasks'],
      what_was_difficult: ['draft: agent.timeout: slow', 'work of b came back once'],
      sources: [{ agent: 'b', from: 'journal', reason: expect.any(String) }],
      partial: [expect.stringMatching(/^b gave no retrospective/)],
    });
  });

  it('CP-10 · fallbacks · nothing notable is a minimal report, and nothing to remember', () => {
    const { result } = reported({ a: retro() });
    const nothing = {
      what_went_well: [],
      what_was_difficult: [],
      recommendations: [],
      reusable_patterns: [],
      root_causes: [],
      confirmed: [],
    };
    expect(result).toMatchObject(nothing);
  });

  it('CP-10 · fallbacks · what the journal lacks is named', () => {
    expect(reported({ a: retro() }, {}, { partial: ['entries 1 to 256 are not in the store'] }).result.partial).toEqual([
      'entries 1 to 256 are not in the store',
    ]);
  });

  it('CP-10 · success · an agent confirms only what the memory has', () => {
    const { result } = reported(
      { a: retro({ confirmed: ['m-00000001', 'm-00000002', 'rm -rf'] }) },
      {},
      { memory: [{ id: 'm-00000001', text: 'x' }] },
    );
    expect(result.confirmed).toEqual(['m-00000001']);
  });

  it('CP-10 · success · root causes of the run and of its agents are preventions, each once', () => {
    const cause = { cause: 'No lockfile.', prevention: 'Commit it.' };
    const { result } = reported(
      { a: retro({ root_causes: [{ cause: 'no lockfile', prevention: 'other' }] }) },
      {},
      { root_causes: [cause] },
    );
    expect(result.root_causes).toEqual([cause]);
  });

  it('CP-10 · entry · of answers as large as their schema allows the report keeps fifty of each kind', () => {
    const most = RETROSPECTIVE_SCHEMA.properties.patterns.maxItems;
    const large = (agent: string): Json => {
      const texts = Array.from({ length: most }, (_, i) => `${agent}${i} ${'“'.repeat(7900)}`);
      return retro({ went_well: texts, difficult: texts, suggestions: texts, patterns: texts });
    };
    const { result, values } = reported(Object.fromEntries([...'abcdefgh'].map((agent) => [agent, large(agent)])));
    expect(result.reusable_patterns).toHaveLength(50);
    expect(result.partial).toContain('750 more of reusable_patterns are left out');
    expect(Buffer.byteLength(JSON.stringify(values))).toBeLessThan(64 * 1024);
  });

  it.each([
    ['text', null],
    ['a list', []],
    ['patterns that are no list', { patterns: 'x' }],
    ['items that are no text', { patterns: [1, '', 'ok'] }],
  ])('CP-10 · entry · what is no answer does no harm: %s', (_, value) => {
    expect(readRetrospective(value as Json)?.patterns ?? []).toEqual(JSON.stringify(value).includes('ok') ? ['ok'] : []);
  });
});

describe('ranking', () => {
  const WORDS = ['Lint first', 'lint  first.', 'Ask', 'ask!', 'Pin it', 'Read', ''];

  it.each(Array.from({ length: 50 }, (_, seed) => [seed]))('agrees with a count of speakers by hand (seed %i)', (seed) => {
    const roll = chance(seed);
    const lists = Array.from({ length: roll(5) }, () => Array.from({ length: roll(5) }, () => WORDS[roll(WORDS.length)] ?? ''));
    const keys = [...new Set(lists.flat().map(sameness))].filter((key) => key !== '');
    const naive = keys.map((key) => ({ key, times: lists.filter((list) => list.some((text) => sameness(text) === key)).length }));
    naive.sort((a, b) => b.times - a.times);
    expect(rankTexts(lists).map(({ text, times }) => ({ key: sameness(text), times }))).toEqual(naive);
  });
});
