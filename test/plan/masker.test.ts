import { masker, maskJson, withoutScheme } from '../../plan/text/masker';

const DIGEST = '0123456789abcdef'.repeat(4);

test('the longest secret is masked first, so nothing of it is left over if another is its beginning', () => {
  expect(masker(['hush-hush', 'hush-hush-hush'])('say hush-hush-hush')).toBe('say ***');
});

test('every text within a value is masked, keys too', () => {
  expect(maskJson({ 'hush-1': ['a hush-1', 2, null] }, masker(['hush-1']))).toEqual({ '***': ['a ***', 2, null] });
});

test('a digest that a secret happens to be in is left, a secret that looks like a digest is not', () => {
  expect(maskJson(DIGEST, masker(['4567']))).toBe(DIGEST);
  expect(maskJson(DIGEST, masker([DIGEST]))).toBe('***');
});

test.each([
  ['Bearer abc', ['Bearer abc', 'abc']],
  ['Api-Key abc', ['Api-Key abc', 'abc']],
  ['abc', ['abc']],
  ['three words here', ['three words here']],
])('what proves who one is, is a secret without its scheme too: %s', (secret, secrets) => {
  expect(withoutScheme(secret)).toEqual(secrets);
});
