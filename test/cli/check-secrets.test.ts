import { checkSecrets } from '../../cli/checks/secrets';
import { parseSettings } from '../../cli/settings/settings-file';
import type { WantedSchedule } from '../../client/schedule-options';

/** What `thermidor doctor` reports about secrets of people, channels, mail and callbacks. */
async function look(text: string, env: NodeJS.ProcessEnv = {}) {
  const { directory = { people: {}, groups: {} }, channels = {}, mail, callbacks = {}, encryption } = parseSettings('thermidor.yaml', text);
  const setting = <T>(value: T) => ({ value, source: 'thermidor.yaml' });
  const settings = {
    ...{ directory: setting(directory), channels: setting(channels), mail: setting(mail) },
    ...{ callbacks: setting(callbacks), encryption: setting(encryption) },
  };
  return await checkSecrets(settings, env);
}

test.each([
  ['people: { me: { token: "secret://env/LOST" } }', 'person me', 'people.me.token'],
  ['channels: { "#desk": { webhook: "secret://env/LOST" } }', 'channel #desk', 'channels.#desk.webhook'],
  ['channels: { "#desk": { webhook: "https://x.org", webhook_secret: "secret://env/LOST" } }', 'channel #desk', 'webhook_secret'],
  ['channels: { "#desk": { discord: "secret://env/LOST" } }', 'channel #desk', 'channels.#desk.discord'],
  ['channels: { "#desk": { slack: "secret://env/LOST" } }', 'channel #desk', 'channels.#desk.slack'],
  ['mail: { smtp: "secret://env/LOST", from: a@x.org }', 'mail', 'mail.smtp'],
  ['callbacks: { secret: "secret://env/LOST" }', 'callbacks', 'callbacks.secret'],
  ['callbacks: { slack_signing_secret: "secret://env/LOST" }', 'callbacks', 'callbacks.slack_signing_secret'],
  ['callbacks: { teams: { crew: "secret://env/LOST" } }', 'callbacks', 'callbacks.teams.crew'],
  ['encryption: { keys: { k1: "secret://env/LOST" }, use: k1 }', 'encryption', 'encryption.keys.k1'],
])('a reference that leads nowhere fails it, with the reference’s path: %s', async (text, name, path) => {
  const found = await look(text);
  expect(found).toMatchObject([{ name, state: 'failed', says: expect.stringContaining('LOST'), hint: expect.any(String) }]);
  expect(found[0]?.says).toContain(path);
});

test.each([
  ['channels: { "#desk": { slack: "secret://env/HOOK" } }', 'hunter2'],
  ['channels: { "#desk": { webhook: "secret://env/HOOK" } }', 'ftp://x.org/hunter2'],
  ['mail: { smtp: "secret://env/HOOK", from: a@x.org }', 'https://hunter2@x.org'],
])('a reference to something other than an address fails it, without showing the value: %s', async (text, HOOK) => {
  const found = await look(text, { HOOK });
  expect(found).toMatchObject([{ state: 'failed', says: expect.stringContaining('is not an ') }]);
  expect(JSON.stringify(found)).not.toContain('hunter2');
});

test('an invalid address in the settings fails it', async () => {
  expect(await look('channels: { "#desk": { webhook: x } }')).toMatchObject([{ name: 'channel #desk', state: 'failed' }]);
});

test('what is there is reported in one row, without its content', async () => {
  const text =
    'people: { me: { token: "secret://env/T" } }\nchannels: { "#desk": { discord: "secret://env/D", slack: "https://x.org/h" }, "#inbox": }';
  const found = await look(text, { T: 'hunter2', D: 'https://x.org/hunter2' });
  expect(found).toMatchObject([{ state: 'ok', says: expect.stringContaining('people.me.token, channels.#desk.discord') }]);
  expect(JSON.stringify(found)).not.toMatch(/hunter2|slack/);
});

test('if nothing is set up, there is nothing to say', async () => {
  expect(await look('')).toEqual([]);
});

test('of several web hooks of a pipeline it is said which one lacks its secret', async () => {
  const hook = (name: string, secret: string) =>
    ({ pipeline: 'review', trigger: { kind: 'webhook', name, path: name, signature: 'github', secret, rate: 60 } }) as WantedSchedule;
  const off = { value: undefined, source: 'default' };
  const settings = {
    ...{ directory: { ...off, value: { people: {}, groups: {} } }, channels: { ...off, value: {} } },
    ...{ mail: off, callbacks: { ...off, value: {} }, encryption: off },
  };
  const found = await checkSecrets(settings, { A: 'there' }, [hook('pr', 'secret://env/A'), hook('std', 'secret://env/LOST')]);
  expect(found).toMatchObject([{ name: 'web hook std', state: 'failed', says: expect.stringContaining('of the web hook review.std') }]);
});
