import { agent } from '../../activities/agent/agent';
import { command } from '../../activities/commands/command';
import type { ProcessRunner } from '../../activities/ports';
import { stages } from '../../activities/stages/stages-activity';
import type { Tool } from '../../activities/tools/tool';
import type { Stage } from '../../plan/stages/stage';
import type { Json } from '../../plan/text/json';
import { LedgerFiles } from '../../records/directory/ledger-files';
import type { Ledger } from '../../records/ledger';
import { MemoryLedger } from '../../records/memory/memory-store';
import { ADDRESS, briefStep, GOOD_TEXT, INPUT } from './brief-step';
import { chain, shop, step } from './command-chain';
import { calls as called, LEAD, scriptedShop, text } from './scripted-shop';
import { stop } from './stopping-point';
import { aroundLines, codeOf, fakeAgent, KEY, scratchFolder, withAgent, workshop } from './workshop';

/** Runs work that it is asked for by name; the first request for `name` is stopped while it runs. */
function stoppedIn(name: string): { processes: ProcessRunner; ran: string[]; at: ReturnType<typeof stop> } {
  const at = stop();
  const ran: string[] = [];
  const processes: ProcessRunner = {
    async run({ command: asked }) {
      const word = 'shell' in asked ? asked.shell : (asked.argv.at(-1) ?? '');
      ran.push(word);
      if (word === name && ran.filter((one) => one === name).length === 1) await at.here();
      return { stdout: `${word}\n`, stderr: '' };
    },
  };
  return { processes, ran, at };
}

describe('a worker that was stopped, whose work another has taken over, and that goes on later', () => {
  test('runs no more commands of its chain; the one that it was in ran twice', async () => {
    const { processes, ran, at } = stoppedIn('b');
    const shopping = shop({ processes });
    await shopping.open(['a', 'b', 'c', 'd'].map((id) => step(id, { shell: [id] })));
    const first = chain(shopping, ['a', 'b', 'c', 'd']);
    await at.reached;
    const second = await chain(shopping, ['a', 'b', 'c', 'd']);
    at.goOn();
    // If the work is done already, it is not done again.
    expect(await first).toEqual(second);
    expect(second.done).toHaveLength(4);
    expect(ran).toEqual(['a', 'b', 'b', 'c', 'd']);
  });

  test('begins no command that another chain has claimed, though nobody has begun it', async () => {
    const { processes, ran, at } = stoppedIn('a');
    const shopping = shop({ processes });
    await shopping.open(['a', 'b'].map((id) => step(id, { shell: [id] })));
    const first = chain(shopping, ['a', 'b']);
    await at.reached;
    const other = await shopping.ledger.recordLog(KEY, 'commands');
    await other.claim(['b#1~1']);
    at.goOn();
    expect(await codeOf(first)).toBe('worker.lost');
    expect(ran).toEqual(['a']);
    await other.close();
  });

  test('does not put the result of a command in the place of what another is doing', async () => {
    const { processes, ran, at } = stoppedIn('a');
    const shopping = shop({ processes });
    await shopping.open([step('a', { shell: ['a'] })]);
    const first = command(shopping.toolbox, shopping.call('a#1~1'), { run: KEY.run });
    await at.reached;
    const second = await command(shopping.toolbox, shopping.call('a#1~1', { attempt: 2 }), { run: KEY.run });
    at.goOn();
    expect(await first).toEqual(second);
    expect(ran).toEqual(['a', 'a']);
  });

  test('goes on with no stage of a pipe', async () => {
    const { processes, ran, at } = stoppedIn('one');
    const shopping = workshop({ processes });
    const exec = (word: string): Stage => ({ name: 'exec', words: [[word]], flags: {} });
    await shopping.open([{ id: 'p', kind: 'stages', stages: [exec('one'), exec('two')] }]);
    const first = stages(shopping.toolbox, shopping.call('p#1~1'), { run: KEY.run });
    await Promise.race([at.reached, first]);
    const second = await stages(shopping.toolbox, shopping.call('p#1~1', { attempt: 2 }), { run: KEY.run });
    at.goOn();
    expect(await first).toEqual(second);
    expect(ran).toEqual(['one', 'one', 'two']);
  });

  test('adds nothing to a transcript: its turns are neither among nor after those of its successor', async () => {
    const at = stop();
    let asked = 0;
    const adapter = fakeAgent(async () => {
      asked += 1;
      if (asked > 1) return GOOD_TEXT;
      await at.here();
      return 'what nobody waits for';
    });
    const shopping = workshop(withAgent(adapter));
    await shopping.open([await briefStep(shopping)]);
    const first = agent(shopping.toolbox, shopping.call(ADDRESS), INPUT);
    await at.reached;
    const second = await agent(shopping.toolbox, shopping.call(ADDRESS, { attempt: 2 }), INPUT);
    const before = await shopping.ledger.lines(KEY, `${ADDRESS}/transcript`);
    at.goOn();
    expect(await codeOf(first)).toBe('worker.lost');
    expect(await shopping.ledger.lines(KEY, `${ADDRESS}/transcript`)).toEqual(before);
    expect(await agent(shopping.toolbox, shopping.call(ADDRESS, { attempt: 3 }), INPUT)).toEqual(second);
  });

  test('calls no tool, though its own record of the call is there', async () => {
    const at = stop();
    const calls: number[] = [];
    const touch = (worker: number): Tool => ({
      description: 'touches',
      parameters: { type: 'object' },
      async call() {
        calls.push(worker);
        return { text: 'touched' };
      },
    });
    const replies = { lead: [text('done', called(['touch', {}]))] };
    const shopping = await scriptedShop({ replies, toolbox: { tools: { touch: touch(2) } } });
    const ledger = stoppedBehind(shopping.ledger, at, (line) => JSON.stringify(line).includes('"calls"'));
    const first = shopping.perform({}, LEAD, { ...shopping.toolbox, ledger, tools: { touch: touch(1) } });
    await at.reached;
    const second = await shopping.perform();
    at.goOn();
    expect(await codeOf(first)).toBe('worker.lost');
    expect(calls).toEqual([2]);
    expect(await shopping.perform()).toEqual(second);
    expect(await shopping.answers()).toEqual(['touched']);
  });
});

/** A ledger whose worker is stopped as soon as a line is written. */
function stoppedBehind(ledger: Ledger, at: ReturnType<typeof stop>, isMeant: (line: Json) => boolean): Ledger {
  return aroundLines(ledger, async (line, write) => {
    await write();
    if (isMeant(line)) await at.here();
  });
}

describe.each([
  ['files', (): Ledger => new LedgerFiles(scratchFolder())],
  ['memory', (): Ledger => new MemoryLedger()],
])('a log of %s', (_, open) => {
  test('has the lines of its last claimant, and before them those of each earlier one', async () => {
    const ledger = open();
    await ledger.append(KEY, 'log', { n: 0 });
    const one = await ledger.claim(KEY, 'log');
    await one.append({ n: 1 });
    const two = await ledger.claim(KEY, 'log');
    expect(await codeOf(one.append({ n: 'late' }))).toBe('worker.lost');
    await two.append({ n: 2 });
    expect(await codeOf(one.requireOwn())).toBe('worker.lost');
    await two.requireOwn();
    expect(await ledger.lines(KEY, 'log')).toEqual([{ n: 0 }, { n: 1 }, { n: 2 }]);
  });

  test('is not taken by an attempt that was scheduled before the one that has it, however late it claims', async () => {
    const ledger = open();
    const second = await ledger.claim(KEY, 'log', 2000);
    expect(await codeOf(ledger.claim(KEY, 'log', 1000))).toBe('worker.lost');
    await second.append({ n: 2 });
    const third = await ledger.claim(KEY, 'log', 3000);
    expect(await codeOf(second.append({ n: 'late' }))).toBe('worker.lost');
    await third.append({ n: 3 });
    expect(await ledger.lines(KEY, 'log')).toEqual([{ n: 2 }, { n: 3 }]);
  });

  test('lets no attempt begin what one that was scheduled later has claimed before, nor what is below it', async () => {
    const ledger = open();
    const [stopped, second] = [await ledger.recordLog(KEY, 'log'), await ledger.recordLog(KEY, 'log')];
    await second.claim(['a#1~1'], 2000);
    expect(await second.begin('a#1~1')).toBe(false);
    await stopped.claim(['a#1~1', 'b#1~1'], 1000);
    await expect(stopped.begin('a#1~1')).rejects.toThrow('taken over');
    await expect(stopped.begin('a#1~1/stage/0')).rejects.toThrow('taken over');
    expect(await stopped.begin('b#1~1')).toBe(false);
    expect(await second.putIfAbsent('a#1~1', 'mine')).toBe('mine');
    await Promise.all([stopped.close(), second.close()]);
  });

  test('lets nobody begin what another has claimed since, nor record over what another has begun', async () => {
    const ledger = open();
    const [one, two] = [await ledger.recordLog(KEY, 'log'), await ledger.recordLog(KEY, 'log')];
    await one.claim(['a#1~1', 'b#1~1']);
    expect([await one.begin('a#1~1'), await one.begin('b#1~1')]).toEqual([false, false]);
    await two.claim(['a#1~1']);
    await expect(one.begin('a#1~1/stage/0')).rejects.toThrow('taken over');
    expect(await two.begin('a#1~1')).toBe(true);
    await expect(one.putIfAbsent('a#1~1', 'late')).rejects.toThrow('taken over');
    expect([await two.putIfAbsent('a#1~1', 'mine'), await one.putIfAbsent('a#1~1', 'late'), await one.putIfAbsent('b#1~1', 'own')]).toEqual(
      ['mine', 'mine', 'own'],
    );
    await Promise.all([one.close(), two.close()]);
  });
});
