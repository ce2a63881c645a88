import { isUntested, TESTED_SERVER } from '../../client/server-version';

test.each([
  ['1.9.12', true],
  ['1.31.2', true],
  [TESTED_SERVER, false],
  ['1.32.0', false],
  ['1.32.0-151.4', false],
  ['1.100.0', false],
  ['2.0.0', false],
])('a server of version %s is older than what is tested: %s', (version, expected) => {
  expect(isUntested(version)).toBe(expected);
});
