import { streamMask } from '../../plan/text/stream-masker';

const PEM = '-----BEGIN KEY-----\nMIIEvQIBADANBgkq\nhkiG9w0BAQEFAASC\n-----END KEY-----';

function inPieces(text: string, size: number, secrets: readonly string[]): string {
  const mask = streamMask(secrets);
  let out = '';
  for (let at = 0; at < text.length; at += size) out += mask.push(text.slice(at, at + size));
  return out + mask.end();
}

test.each([
  ['one secret', 'a hush-hush b', ['hush-hush'], 'a *** b'],
  ['over two lines', `before\n${PEM}\nbehind`, [PEM], 'before\n***\nbehind'],
  ['one that begins another', 'x hush y hush-hush z', ['hush', 'hush-hush'], 'x *** y *** z'],
  ['two that overlap', 'x abcdefgh y', ['abcdef', 'defgh'], 'x *** y'],
  ['itself again and again', 'x aaaaaaaaaa y', ['aaaa'], 'x *** y'],
  ['two side by side', 'hush-hushhush-hush', ['hush-hush'], '******'],
  ['a line of a secret alone', 'MIIEvQIBADANBgkq!', [PEM], '***!'],
  ['in base64', `Basic ${Buffer.from('user:hush-hush').toString('base64')}`, ['user:hush-hush'], 'Basic ***'],
  ['nothing', 'nothing to hide', ['hush-hush'], 'nothing to hide'],
])('%s is masked the same, wherever the text is cut', (_, text, secrets, masked) => {
  for (let size = 1; size <= text.length; size += 1) expect([size, inPieces(text, size, secrets)]).toEqual([size, masked]);
});

test('what cannot be the beginning of a secret is not held back', () => {
  const mask = streamMask(['hush-hush']);
  expect(mask.push('Password: ')).toBe('Password: ');
  expect(mask.push('hu')).toBe('');
  expect(mask.push('ge')).toBe('huge');
});

test('a long beginning of a secret at the end is masked, a short one stays', () => {
  expect(inPieces('tail hush-hus', 3, ['hush-hush'])).toBe('tail ***');
  expect(inPieces('tail hush', 3, ['hush-hush'])).toBe('tail hush');
});

test('no more is held back than the longest form has', () => {
  const mask = streamMask(['abababab!']);
  let shown = 0;
  for (let n = 1; n <= 1000; n += 1) {
    shown += mask.push('ab').length;
    expect(2 * n - shown).toBeLessThan(40);
  }
});
