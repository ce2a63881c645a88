import { apiFailure, waitMs } from '../../../activities/adapters/model/api-failure';

test.each<[Record<string, string>, number | undefined]>([
  [{ 'retry-after': '7' }, 7000],
  [{ 'retry-after': '1.5' }, 1500],
  [{ 'retry-after-ms': '250', 'retry-after': '9' }, 250],
  [{ 'retry-after-ms': 'soon', 'retry-after': '9' }, 9000],
  [{ 'retry-after': new Date(60_000).toUTCString() }, 50_000],
  // A wait of a year is a mistake.
  [{ 'retry-after': '31536000' }, 3_600_000],
  [{ 'retry-after': '99999999999999999999999' }, 3_600_000],
  // Without a minimum it would try at once, again and again.
  [{ 'retry-after-ms': '1' }, 200],
  [{ 'retry-after': '0' }, undefined],
  [{ 'retry-after': new Date(0).toUTCString() }, undefined],
  [{ 'retry-after': 'soon' }, undefined],
  [{}, undefined],
])('%j is a wait of %s ms', (headers, expected) => {
  expect(waitMs(new Headers(headers), 10_000)).toBe(expected);
});

test.each<[string, { key?: string; headers?: Record<string, string> }, boolean]>([
  ['nothing was sent that proves who one is', { headers: { 'x-team': 'quant' } }, true],
  ['a key was sent', { key: 'sk-0123456789' }, false],
  ['a header may have proved it', { headers: { 'x-auth': 'me' } }, false],
])('a refused key is reported with the setting that is missing where %s', (_, { key, headers = {} }, isMissing) => {
  const proof = key === undefined ? {} : { key };
  const endpoint = { name: 'local', baseUrl: 'http://127.0.0.1:1', headers, hide: (text: string) => text, ...proof };
  const { code, message } = apiFailure(endpoint, 'qwen3', { status: 401, says: 'invalid' });
  expect(code).toBe('model.unauthorized');
  expect(message.includes('adapters.local.key')).toBe(isMissing);
});
