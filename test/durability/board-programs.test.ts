import type { JournalEntry } from '../../plan/run/journal';
import { inSweep } from '../support/sweep';
import { journal, runOf } from './support/runs';
import { Scratch, SET_UP_MS } from './support/scratch';

/** A team of programs on a real server, whose worker is killed: each answer counts once, and only those in flight are asked for again. */
let scratch: Scratch;
beforeAll(async () => {
  scratch = await Scratch.make();
  await scratch.keepServer();
}, SET_UP_MS);
afterAll(() => scratch.close());

type BoardEntry = Extract<JournalEntry, { kind: 'board' }>;

/** Notes what it is asked, and waits with its second task until it is let go. */
const PROGRAM = `
const fs = require('node:fs');
const [, , asked, go] = process.argv;
const all = fs.readFileSync(0, 'utf8');
const text = all.slice(all.lastIndexOf('# Team'));
const [, me] = /You are '(\\w+)'/.exec(text);
const [, task = 'inbox'] = /Task #(\\d+):/.exec(text) ?? [];
fs.appendFileSync(asked, me + ' ' + task + '\\n');
const answer = { status: 'done', summary: 'Result ' + task + '.' };
if (task === '1') {
  answer.create_tasks = [{ subject: 'Three', blocked_by: ['two'] }];
  answer.messages = [{ to: 'bob', content: 'mind the gap' }, { to: 'zoe', content: 'hello' }];
}
const end = () => (task === '2' && !fs.existsSync(go) ? setTimeout(end, 20) : console.log(JSON.stringify(answer)));
end();
`;

inSweep.test('each answer counts once, and only the one in flight is asked for again', async () => {
  scratch.write('bot.cjs', PROGRAM);
  const command = [process.execPath, ...['bot.cjs', 'asked', 'go'].map((name) => scratch.path(name))];
  scratch.write('thermidor.yaml', JSON.stringify({ default_adapter: 'bot', adapters: { bot: { kind: 'cli', command } } }));
  const step = {
    ...{ id: 'team', type: 'board', until: 'all_done' },
    members: ['alice', 'bob'].map((name) => ({ name, agent: 'worker' })),
    tasks: [
      { name: 'one', subject: 'One' },
      { name: 'two', subject: 'Two' },
    ],
  };
  scratch.write(
    'pipelines/crew.yaml',
    JSON.stringify({ name: 'crew', agents: { worker: { role: 'You work.' } }, steps: [step], output: 'team' }),
  );
  const worker = scratch.thermidor('run', 'crew');
  const run = await runOf(worker);
  await worker.until('alice has read what came back, and bob is at work', () => {
    const lines = scratch.lines('asked');
    return lines.includes('alice inbox') && lines.includes('bob 2');
  });
  await worker.kill();
  scratch.write('go', '');
  await scratch.follow('watch', run).endsWith(0);

  const entries = (await journal(scratch, run)).flatMap((entry): BoardEntry[] => (entry.kind === 'board' ? [entry] : []));
  const ofTasks = (event: string) => entries.flatMap((entry) => (entry.event === event && 'task' in entry ? entry.task : [])).sort();
  for (const event of ['created', 'claimed', 'completed']) expect(ofTasks(event)).toEqual([1, 2, 3]);
  const messages = entries.flatMap((entry) =>
    (entry.event === 'sent' || entry.event === 'undelivered') && entry.from === 'alice' && entry.type === 'message'
      ? `${entry.event} ${entry.to}`
      : [],
  );
  expect(messages.sort()).toEqual(['sent bob', 'undelivered zoe']);
  expect(entries.filter(({ event }) => event === 'failed' || event === 'returned')).toEqual([]);
  const asked = scratch.lines('asked');
  expect(asked.filter((line) => line === 'alice 1')).toHaveLength(1);
  expect(asked.filter((line) => line === 'bob 2')).toHaveLength(2);
});
