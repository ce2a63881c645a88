import { type Bench, bench, byDiscord, bySlack, interaction } from './listener';

let at: Bench;
afterEach(() => at.close());

const settings = { start: ['daily'] };
const options = (pipeline: string, args = '') => [
  { name: 'pipeline', value: pipeline },
  { name: 'args', value: args },
];
const command = (pipeline: string, args?: string, more = {}) =>
  interaction('', { type: 2, data: { name: 'start', options: options(pipeline, args) }, ...more });
const discord = (body: string) => at.post('/discord', body, byDiscord(at, body));
const slack = (text: string, more: Record<string, string> = {}) => {
  const body = new URLSearchParams({ command: '/thermidor', text, user_id: 'U1', ...more }).toString();
  return { body, send: (headers = bySlack(body)) => at.post('/slack', body, headers) };
};
const status = (response: Response) => [response.status, response.headers.get('thermidor-status')];

test('a signed command starts a run as the person who sent it', async () => {
  at = await bench({ settings });
  const response = await discord(command('daily', 'market=ETH/USDT size=2'));
  expect(await response.json()).toMatchObject({ type: 4, data: { content: '✓ daily: started daily-1 for chairman', flags: 64 } });
  expect(status(await slack('start daily {"market": "BTC"}').send())).toEqual([200, '200']);
  expect(at.started).toMatchObject([
    { pipeline: 'daily', args: { market: 'ETH/USDT', size: 2 }, by: 'chairman', channel: 'discord' },
    { pipeline: 'daily', args: { market: 'BTC' }, by: 'chairman', channel: 'slack' },
  ]);
});

test('a start from chat with a bad signature is refused', async () => {
  at = await bench({ settings });
  const body = command('daily');
  const forged = { ...byDiscord(at, body), 'x-signature-ed25519': '0'.repeat(128) };
  expect((await at.post('/discord', body, forged)).status).toBe(401);
  expect((await at.post('/discord', body.replace('daily', 'daily '), byDiscord(at, body))).status).toBe(401);
  const { body: text, send } = slack('start daily');
  expect((await send(bySlack(text, undefined, 'another secret'))).status).toBe(401);
  expect((await send(bySlack(`${text}&x=1`))).status).toBe(401);
  expect(at.started).toEqual([]);
});

test('the same command counts once', async () => {
  at = await bench({ settings });
  const body = command('daily');
  const headers = byDiscord(at, body);
  expect((await at.post('/discord', body, headers)).status).toBe(200);
  expect((await at.post('/discord', body, headers)).status).toBe(409);
  expect(at.started).toHaveLength(1);
});

test.each([
  ['a pipeline that is not listed', 'nightly', '', '403'],
  ['a secret', 'daily', 'key=secret://env/HOME', '403'],
  ['a secret within an arg', 'daily', '{"a": {"b": ["secret://file/x"]}}', '403'],
  ['what is no arg', 'daily', 'market', '400'],
  ['what is no JSON', 'daily', '{market', '400'],
  ['no pipeline', '', '', '400'],
])('%s starts nothing', async (_, pipeline, args, code) => {
  at = await bench({ settings });
  expect(status(await discord(command(pipeline, args)))).toEqual([200, code]);
  expect(at.started).toEqual([]);
});

test('nobody who is not in the settings, and nothing if none is listed', async () => {
  at = await bench({ settings });
  expect(status(await discord(command('daily', '', { member: { user: { id: '99' } } })))).toEqual([200, '403']);
  await at.close();
  at = await bench();
  expect(status(await discord(command('daily')))).toEqual([200, '404']);
});
