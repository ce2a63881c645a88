import { Options } from '../../cli/command';
import { execute } from '../../cli/commands/logs';
import { lastWords, logsOfView } from '../../cli/logs/logs-of-view';
import { renderLastWords } from '../../cli/rendering/text/printed-line';
import { defined } from '../../plan/defined';
import type { StepView } from '../../plan/run/status';
import { LedgerFiles } from '../../records/directory/ledger-files';
import { LogFiles } from '../../records/directory/step-logs/log-files';
import { chooseLogs, namedLogs } from '../../records/logs/choose-logs';
import { ownerNote } from '../../records/logs/log-owner';
import type { PrintedLine } from '../../records/logs/printed-lines';
import type { LogLine } from '../../records/step-logs';
import { KEY, scratchFolder, workshop } from '../activities/workshop';
import { fakeTerminal } from './fake-terminal';
import { runView, stepView } from './views';

const NAMES = [
  'build#1~1',
  'build#1~2',
  'build#2~1',
  'each[0]/lint#1~1',
  'each[1]/lint#1~1',
  'each[1]/lint#1~2',
  'ask#1~1',
  'ask#1~1/escalate',
];

describe('which logs are shown', () => {
  const chosen = (step?: string, wanted?: number) =>
    chooseLogs(namedLogs(NAMES), { ...defined({ step, try: wanted }) }).map(({ shown }) => shown);

  test.each([
    ['all of a run', [undefined], NAMES.map((name) => name.replace('#1', '').replace('~1', ''))],
    ['the newest round and try of a step', ['build'], ['build#2']],
    ['the newest try of a round', ['build#1'], ['build~2']],
    ['one try', ['build#1~1'], ['build']],
    ['one try by --try', ['build#1', 1], ['build']],
    ['everything within a step', ['each'], ['each[0]/lint', 'each[1]/lint~2']],
    ['one iteration', ['each[1]'], ['each[1]/lint~2']],
    ['an id wherever it is', ['lint'], ['each[0]/lint', 'each[1]/lint~2']],
    ['what belongs to a step beside its own work', ['ask'], ['ask', 'ask/escalate']],
    ['none of a try that is not there', ['build', 7], []],
    ['none of no address', ['///'], []],
  ] as [string, [string?, number?], string[]][])('%s', (_, [step, wanted], shown) => {
    expect(chosen(step, wanted)).toEqual(shown);
  });
});

const nobody = async (): Promise<undefined> => undefined;

interface Printed {
  [log: string]: [second: number, from: LogLine['from'], text: string, goesOn?: true][];
}

async function runWith(printed: Printed): Promise<string> {
  const at = workshop({});
  await at.open([]);
  for (const [name, lines] of Object.entries(printed)) {
    const log = new LogFiles(at.root).open(KEY, name, { attempt: 1, trouble: () => undefined });
    log.add(
      lines.map(([second, from, text, goesOn]): LogLine => {
        const time = `2026-11-21T07:30:${String(second).padStart(2, '0')}.000Z`;
        return { at: time, from, text, ...(goesOn ? { goesOn } : {}) };
      }),
    );
    await log.close();
  }
  return at.root;
}

async function shown(stateDir: string, args: string[], options: Record<string, unknown> = {}) {
  const terminal = fakeTerminal({ cwd: stateDir });
  const exit = await execute({
    args: [KEY.workflowId, ...args],
    options: new Options({ stateDir, ...options }),
    terminal,
    catalogue: { commands: [], nouns: {} },
  });
  return { exit, ...terminal.written };
}

const texts = (json: string): string[] =>
  (JSON.parse(json) as { lines: { step: string; text: string }[] }).lines.map(({ step, text }) => `${step} ${text}`);

describe('thermidor logs', () => {
  test('puts the lines of all steps in the order of time', async () => {
    const root = await runWith({
      'a#1~1': [
        [1, 'stdout', 'one'],
        [5, 'stderr', 'five'],
      ],
      'b#1~1': [
        [2, 'stdout', 'two'],
        [2, 'stdout', 'two again'],
        [4, 'stdout', 'four'],
      ],
      'c#1~1': [[3, 'stdout', 'three']],
    });
    expect(texts((await shown(root, [], { json: true })).out)).toEqual(['a one', 'b two', 'b two again', 'c three', 'b four', 'a five']);
    expect((await shown(root, ['b'])).out).toBe('two\ntwo again\nfour\n');
  });

  test('names the member of a board that has printed a line, and its task', async () => {
    const root = await runWith({
      'team/team_coder#1~1': [
        [1, 'note', ownerNote({ member: 'alice', task: 2 })],
        [2, 'stdout', 'one'],
        [4, 'stdout', 'three'],
      ],
      'team/team_coder#2~1': [
        [1, 'note', ownerNote({ member: 'bob.b' })],
        [3, 'stdout', 'two'],
      ],
    });
    const { lines } = JSON.parse((await shown(root, [], { json: true })).out) as { lines: PrintedLine[] };
    expect(lines.map(({ text, member, task }) => [text, member, task])).toEqual([
      ['one', 'alice', 2],
      ['two', 'bob.b', undefined],
      ['three', 'alice', 2],
    ]);
    expect((await shown(root, [])).out.match(/\(.*/g)).toEqual(['(alice, #2)  one', '(bob.b)  two', '(alice, #2)  three']);
  });

  test('joins a line that came in pieces, and shows one that never ended', async () => {
    const root = await runWith({
      'a#1~1': [
        [1, 'stdout', 'tick ', true],
        [1, 'stderr', 'aside'],
        [2, 'stdout', 'tock'],
        [3, 'stdout', 'Password: ', true],
      ],
    });
    expect((await shown(root, ['a'])).out).toBe('aside\ntick tock\nPassword: \n');
  });

  test('does not join what a lost attempt began with what the next one prints', async () => {
    const root = await runWith({ 'a#1~1': [[1, 'stdout', 'tick ', true]] });
    const log = new LogFiles(root).open(KEY, 'a#1~1', { attempt: 2, trouble: () => undefined });
    log.add([{ at: '2026-11-21T07:31:00.000Z', from: 'stdout', text: 'tick tock' }]);
    await log.close();
    expect((await shown(root, ['a'])).out).toBe('tick \n-- goes on, attempt 2\ntick tock\n');
  });

  test('--grep shows the lines in which the pattern is found, and an invalid pattern is exit 2', async () => {
    const root = await runWith({ 'a#1~1': Array.from({ length: 5000 }, (_, n) => [1, 'stdout', `line ${n}`]) });
    expect((await shown(root, ['a'], { grep: '^LINE 49\\d$' })).out).toBe('');
    expect((await shown(root, ['a'], { grep: '(?i)^LINE 499\\d$' })).out).toBe(
      Array.from({ length: 10 }, (_, n) => `line ${4990 + n}\n`).join(''),
    );
    await expect(shown(root, ['a'], { grep: '(' })).rejects.toMatchObject({ exit: 2 });
  });

  test('brings no escape sequence to the terminal, and shows of an overwritten line what came last', async () => {
    const root = await runWith({
      'a#1~1': [
        [1, 'stdout', '\u001b[2Jred\u200b'],
        [2, 'stdout', '10%\r50%\r100%'],
      ],
    });
    expect((await shown(root, ['a'])).out).toBe('red\n100%\n');
  });

  test('tells which steps have logs if the one that is asked for has none', async () => {
    const root = await runWith({ 'a#1~1': [[1, 'stdout', 'one']] });
    await expect(shown(root, ['b'])).rejects.toMatchObject({
      exit: 1,
      code: 'logs.none',
      more: { hint: expect.stringContaining('logs: a;') },
    });
    await expect(shown(scratchFolder(), [])).rejects.toMatchObject({ code: 'run.not-found' });
    expect(await shown(await runWith({}), [])).toMatchObject({
      exit: 0,
      out: '',
      err: expect.stringMatching(/has printed nothing so far; .*thermidor status /),
    });
  });
});

describe('the last words of a step', () => {
  const failed = (message: string): StepView => stepView('a', { state: 'failed', error: { code: 'command.failed', message } });
  const viewOf = (step: StepView) => runView([step], { run: KEY.workflowId, firstRunId: KEY.run });
  const words = async (root: string, message: string) => await lastWords(new LogFiles(root), viewOf(failed(message)), nobody);

  test('are its last 20 lines, with the command that shows all', async () => {
    const root = await runWith({ 'a#1~1': Array.from({ length: 30 }, (_, n) => [1, 'stdout', `line ${n}`]) });
    const [found] = await words(root, 'exit code 1');
    expect(found).toEqual({ step: 'a', total: 30, lines: Array.from({ length: 20 }, (_, n) => `line ${n + 10}`) });
    expect(renderLastWords('r', found!, fakeTerminal().colors)).toMatch(/the last 20 of 30 lines:\n {2}line 10\n[\s\S]*thermidor logs r a/);
  });

  test('are left out if the failure’s message has them already, or there are none', async () => {
    const root = await runWith({ 'a#1~1': [[1, 'stderr', 'oops']] });
    expect(await words(root, 'ended with exit code 3: oops')).toEqual([]);
    expect(await words(root, 'ended with exit code 3')).toHaveLength(1);
    expect(await words(await runWith({}), 'ended with exit code 3')).toEqual([]);
  });

  test('are in a file, which is named while the step works and when it has failed', async () => {
    const logs = new LogFiles(await runWith({ 'a#1~1': [[1, 'stdout', 'one']] }));
    const named = async (state: StepView['state']) =>
      (await logsOfView(logs, viewOf(stepView('a', { state })), nobody)).map(({ step }) => step);
    expect(await Promise.all([named('running'), named('failed'), named('done')])).toEqual([['a'], ['a'], []]);
  });
});

describe('the logs of a child pipeline', () => {
  /** `deploy` was tried twice; `each[1]/ship` has a child that has a child of its own. */
  const children = [
    ['kid-1', KEY.workflowId, 'deploy#1~1', '07:30'],
    ['kid-2', KEY.workflowId, 'deploy#1~2', '07:31'],
    ['kid-3', KEY.workflowId, 'each[1]/ship#1~1', '07:32'],
    ['kid-3.x', `${KEY.workflowId}.kid-3`, 'deeper#1~1', '07:33'],
  ] as const;

  async function family(): Promise<string> {
    const root = await runWith({ 'a#1~1': [[1, 'stdout', 'the parent’s']] });
    for (const [name, parent, step, time] of children) {
      const key = { workflowId: `${KEY.workflowId}.${name}`, run: 'first' };
      const plan = { kind: 'plan', sha256: 'a'.repeat(64), sizeBytes: 1, mediaType: 'application/json', name: 'kid.plan.json' };
      const startedAt = `2026-11-21T${time}:00.000Z`;
      const record = { plan, args: {}, startedAt, parent: { workflowId: parent, run: KEY.run, step } };
      await new LedgerFiles(root).putIfAbsent(key, 'run', record);
      const log = new LogFiles(root).open(key, 'build#1~1', { attempt: 1, trouble: () => undefined });
      log.add([{ at: startedAt, from: 'stdout', text: `of ${name}` }]);
      await log.close();
    }
    return root;
  }

  test.each([
    ['deploy/build', 'of kid-2\n'],
    ['deploy~1/build', 'of kid-1\n'],
    ['each[1]/ship/build', 'of kid-3\n'],
    ['each[1]/ship/deeper/build', 'of kid-3.x\n'],
  ])('are found by its address in the parent, of several tries the newest: %s', async (step, text) => {
    expect((await shown(await family(), [step])).out).toBe(text);
  });

  test('are all shown if the step that has started it is named', async () => {
    expect((await shown(await family(), ['each[1]/ship/deeper'])).out).toMatch(/build +of kid-3\.x\n$/);
  });

  test.each(['deploy/nothing', 'each[0]/ship/build', 'deploy~7/build'])('are not taken for others: %s', async (step) => {
    await expect(shown(await family(), [step])).rejects.toMatchObject({ code: 'logs.none' });
  });

  test('end what a failed parent prints, under the address that shows all of them', async () => {
    const logs = new LogFiles(await family());
    const child = runView([stepView('build', { state: 'failed' }), stepView('done', { state: 'done' })], {
      run: `${KEY.workflowId}.kid-2`,
      firstRunId: 'first',
      state: 'failed',
    });
    const parent = runView([stepView('deploy', { kind: 'pipeline', state: 'failed', child: child.run })], {
      run: KEY.workflowId,
      firstRunId: KEY.run,
    });
    const lookAt = async (run: string) => (run === child.run ? child : undefined);
    expect(await lastWords(logs, parent, lookAt)).toEqual([{ step: 'deploy/build', lines: ['of kid-2'], total: 1 }]);
    expect((await logsOfView(logs, parent, lookAt)).map(({ step }) => step)).toEqual(['deploy/build']);
    expect(await lastWords(logs, parent, nobody)).toEqual([]);
  });
});
