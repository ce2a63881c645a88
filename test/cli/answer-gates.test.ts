import { PassThrough } from 'node:stream';
import { type AnswerRefusal, GateAnswerer, type GateAnswererOptions } from '../../cli/following/answer-gates';
import { readChoice } from '../../cli/following/ask-person';
import { choiceUpdate, delayOf, peopleFor } from '../../cli/following/scripted-people';
import type { Script, ScriptedPerson } from '../../plan/agents/script';
import { defined } from '../../plan/defined';
import type { SignalPayload } from '../../plan/run/signal';
import { fakeTerminal } from './fake-terminal';
import { gateView, runView } from './views';

const person = (gate: string, choice: ScriptedPerson['choice'], by?: string): ScriptedPerson => ({
  gate,
  choice,
  ...defined({ by }),
});
const script = (...people: ScriptedPerson[]): Script => ({ name: 's', replies: {}, people });

describe('a script’s people', () => {
  const people = [person('review#4', 'revise'), person('review', 'approve'), person('approve', 'reject')];

  test('those of the very round come before those of any', () => {
    expect(peopleFor({ step: 'review#4' }, people)).toEqual([people[0]]);
    expect(peopleFor({ step: 'review#2' }, people)).toEqual([people[1]]);
    expect(peopleFor({ step: 'approve' }, people)).toEqual([people[2]]);
    expect(peopleFor({ step: 'other' }, people)).toEqual([]);
  });

  test('answer so long after the gate opened, and at once if that is past', () => {
    const opened = '2026-11-21T07:30:00.000Z';
    expect(delayOf({ afterMs: 1000 }, opened, Date.parse(opened) + 400)).toBe(600);
    expect(delayOf({ afterMs: 1000 }, opened, Date.parse(opened) + 5000)).toBe(0);
    expect(delayOf({ afterMs: 1000 }, opened, Date.parse(opened) - 60_000)).toBe(1000);
  });

  test('answer with a value if the gate asks for one', () => {
    expect(choiceUpdate('a', 'respond', { by: 'x', response: { size: 4 } })).toEqual({
      name: 'respond',
      payload: { step: 'a', by: 'x', response: { size: 4 } },
    });
  });

  test('choose by approve and reject, and anything else by respond', () => {
    expect(choiceUpdate('a', 'reject', { by: 'x', comment: '' })).toEqual({ name: 'reject', payload: { step: 'a', by: 'x' } });
    expect(choiceUpdate('a', 'revise', { comment: 'c' })).toEqual({
      name: 'respond',
      payload: { step: 'a', response: 'revise', comment: 'c' },
    });
  });
});

test('a choice is read from its beginning, if that is enough', () => {
  const choices = ['approve', 'revise', 'reject'];
  expect(['a', 'APPROVE', 'rev', 're', '', 'x'].map((text) => readChoice(text, choices))).toEqual([
    'approve',
    'approve',
    'revise',
    undefined,
    undefined,
    undefined,
  ]);
});

interface Kept {
  keeper: GateAnswerer;
  decisions: [string, SignalPayload][];
  said: string[];
  /** Settles at the next time the keeper is done with a gate. */
  settled: () => Promise<void>;
}

function keep(over: Partial<GateAnswererOptions>, refusals: (AnswerRefusal | undefined)[] = []): Kept {
  const decisions: [string, SignalPayload][] = [];
  const said: string[] = [];
  const waiting: (() => void)[] = [];
  const nothing = (): void => undefined;
  const keeper = new GateAnswerer({
    run: 'r',
    server: { address: 'localhost:1', namespace: 'default' },
    decide: async (name, payload) => {
      decisions.push([name, payload]);
      return refusals.shift();
    },
    terminal: fakeTerminal(),
    screen: { show: nothing, say: (text) => void said.push(text), suspend: nothing, resume: nothing, end: nothing },
    ask: false,
    pathsOf: async () => [],
    formOf: async () => undefined,
    onSettled: () => waiting.splice(0).forEach((go) => void go()),
    ...over,
  });
  return { keeper, decisions, said, settled: () => new Promise((resolve) => waiting.push(resolve)) };
}

const VIEW = runView([], { state: 'waiting', gates: [gateView('approve')] });

describe('the keeper of gates, if nobody is at the terminal', () => {
  test('tells how to answer, once, and is not busy then', async () => {
    const { keeper, said, settled, decisions } = keep({});
    const done = settled();
    keeper.consider(VIEW);
    expect(keeper.busy).toBe(true);
    await done;
    keeper.consider(VIEW);
    expect(keeper.busy).toBe(false);
    expect(decisions).toEqual([]);
    expect(said.filter((text) => text.includes('thermidor approve r'))).toHaveLength(1);
  });

  test('lets the script’s person answer, and says that the script did', async () => {
    const { keeper, said, settled, decisions } = keep({ script: script(person('approve', 'approve', 'chairman')) });
    const done = settled();
    keeper.consider(VIEW);
    await done;
    expect(decisions).toEqual([['approve', { step: 'approve', by: 'chairman' }]]);
    expect(keeper.scripted).toEqual([{ step: 'approve', choice: 'approve', by: 'chairman' }]);
    expect(said.join('')).toContain('script "s"');
  });

  test('lets the next one answer when the first may not, and tells how when none may', async () => {
    const { keeper, said, settled, decisions } = keep(
      { script: script(person('approve', 'approve', 'eve'), person('approve', 'approve', 'mallory')) },
      [{ message: 'eve may not' }, { message: 'mallory may not' }],
    );
    const done = settled();
    keeper.consider(VIEW);
    await done;
    expect(decisions.map(([, payload]) => payload.by)).toEqual(['eve', 'mallory']);
    expect(keeper.scripted).toEqual([]);
    expect(keeper.busy).toBe(false);
    expect(said.join('')).toContain('thermidor approve r');
  });

  const SEVERAL = (...approvedBy: string[]) =>
    runView([], { state: 'waiting', gates: [gateView('approve', { quorum: 2, approvedBy, notBy: ['eve'] })] });

  test('lets as many of the script’s people vote as the gate wants, each once, and none who may not', async () => {
    const { keeper, settled, decisions } = keep({
      script: script(person('approve', 'approve', 'eve'), person('approve', 'approve', 'ann'), person('approve', 'approve', 'ben')),
    });
    const first = settled();
    keeper.consider(SEVERAL());
    await first;
    keeper.consider(SEVERAL());
    expect(decisions).toHaveLength(1);
    const second = settled();
    keeper.consider(SEVERAL('ann'));
    await second;
    expect(decisions.map(([, payload]) => payload.by)).toEqual(['ann', 'ben']);
  });

  test('tells how to answer if the script has no more people for the votes that are missing', async () => {
    const { keeper, settled, said } = keep({ script: script(person('approve', 'approve', 'ann')) });
    const first = settled();
    keeper.consider(SEVERAL());
    await first;
    const second = settled();
    keeper.consider(SEVERAL('ann'));
    await second;
    expect(keeper.busy).toBe(false);
    expect(said.join('')).toContain('thermidor approve r');
  });

  test('keeps other failures for the command that follows the run', async () => {
    const decide = async (): Promise<undefined> => {
      throw new Error('connection lost');
    };
    const { keeper, settled } = keep({ decide, script: script(person('approve', 'approve')) });
    const done = settled();
    keeper.consider(VIEW);
    await done;
    expect(keeper.failed).toBe(true);
    expect(() => keeper.check()).toThrow('connection lost');
  });
});

describe('the keeper of gates, with a person at the terminal', () => {
  const atTerminal = () => {
    const stdin = new PassThrough();
    return { stdin, terminal: fakeTerminal({ stdin, interactive: true }) };
  };
  const type = (stdin: PassThrough, ...lines: string[]): void => lines.forEach((line) => void stdin.write(`${line}\n`));

  test('asks, takes the comment, and plays the script’s person by name', async () => {
    const { stdin, terminal } = atTerminal();
    const { keeper, settled, decisions } = keep({ ask: true, terminal, script: script(person('approve', 'reject', 'chairman')) });
    const done = settled();
    keeper.consider(VIEW);
    type(stdin, 'a');
    setImmediate(() => type(stdin, 'looks good'));
    await done;
    expect(decisions).toEqual([['approve', { step: 'approve', by: 'chairman', comment: 'looks good' }]]);
    expect(keeper.scripted).toEqual([]);
  });

  test.each([
    ['who has voted', { quorum: 2, approvedBy: ['eve'] }],
    ['whom four eyes exclude', { notBy: ['eve'] }],
    ['where a typed name proves nothing', { identity: 'proven' as const }],
  ])('does not ask %s, and tells how others answer', async (_, over) => {
    const { terminal } = atTerminal();
    const { keeper, settled, said } = keep({ ask: true, terminal, user: 'eve' });
    const done = settled();
    keeper.consider(runView([], { state: 'waiting', gates: [gateView('approve', over)] }));
    await done;
    expect(said.filter((text) => text.includes('thermidor approve r'))).toHaveLength(1);
    keeper.stop();
  });

  test('asks the next of the script’s people after a vote, if several must agree', async () => {
    const { stdin, terminal } = atTerminal();
    const { keeper, settled, decisions } = keep({
      ...{ ask: true, terminal, user: 'eve' },
      script: script(person('approve', 'approve', 'ann'), person('approve', 'approve', 'ben')),
    });
    for (const approvedBy of [[], ['ann']]) {
      const done = settled();
      keeper.consider(runView([], { state: 'waiting', gates: [gateView('approve', { quorum: 2, approvedBy })] }));
      type(stdin, 'a');
      setImmediate(() => type(stdin, ''));
      await done;
    }
    expect(decisions.map(([, payload]) => payload.by)).toEqual(['ann', 'ben']);
    keeper.stop();
  });

  test('withdraws the question when the gate closes', async () => {
    const { terminal } = atTerminal();
    const { keeper, settled, decisions } = keep({ ask: true, terminal });
    const done = settled();
    keeper.consider(VIEW);
    keeper.consider(runView([], { state: 'running', gates: [] }));
    await done;
    expect(decisions).toEqual([]);
  });

  const INPUT = gateView('size', { kind: 'input', choices: ['respond'] });
  const FORM = { prompt: 'How large?', responseSchema: { type: 'object', required: ['size'] }, defaults: { size: 3 } };
  const atInput = (lines: string[]) => {
    const { stdin, terminal } = atTerminal();
    const kept = keep({ ask: true, terminal, user: 'eve', formOf: async () => FORM });
    const done = kept.settled();
    kept.keeper.consider(runView([], { state: 'waiting', gates: [INPUT] }));
    const typeNext = (): void => {
      const next = lines.shift();
      if (next === undefined) return;
      type(stdin, next);
      setImmediate(typeNext);
    };
    setImmediate(typeNext);
    return { ...kept, done, terminal };
  };

  test('at an input gate asks for the answer until it fits, and says what does not', async () => {
    const { done, decisions, terminal } = atInput(['{"size": ', '{}', '{"size": 7}']);
    await done;
    expect(decisions).toEqual([['respond', { step: 'size', by: 'eve', response: { size: 7 } }]]);
    expect(terminal.written.out).toContain('not JSON');
    expect(terminal.written.out).toContain('missing field size');
  });

  test('takes what an input gate offers if nothing is typed', async () => {
    const { done, decisions } = atInput(['']);
    await done;
    expect(decisions).toEqual([['respond', { step: 'size', by: 'eve', response: { size: 3 } }]]);
  });

  test('asks one question at a time, even if their forms must be read first', async () => {
    const { stdin, terminal } = atTerminal();
    const asked: number[] = [];
    const decide = async (): Promise<undefined> => {
      asked.push(terminal.written.out.match(/waits for a person/g)?.length ?? 0);
    };
    const { keeper, settled } = keep({ ask: true, terminal, decide, formOf: async () => undefined });
    const first = settled();
    keeper.consider(runView([], { state: 'waiting', gates: [gateView('one'), gateView('two')] }));
    type(stdin, 'r');
    setImmediate(() => type(stdin, ''));
    await first;
    expect(asked).toEqual([1]);
    keeper.stop();
  });
});
