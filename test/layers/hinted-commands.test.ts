import { CATALOGUE } from '../../cli/catalogue';
import { PROGRAM, sourcesIn } from './sources';

/** A message that tells people what to type names a command that there is. */
const COMMANDS = new Set(CATALOGUE.map(({ name }) => name.split(' ')[0]));
/** Words after the program's name between backticks: what a sentence has them type. */
const TYPED = /\\?`thermidor ([a-z-]+)/g;

test('messages name commands that exist', () => {
  const lines = sourcesIn(PROGRAM).flatMap(([file, text]) =>
    text
      .split('\n')
      .filter((line) => !/^\s*(?:\/\*\*?|\*|\/\/)/.test(line))
      .flatMap((line) => [...line.matchAll(TYPED)].map(([, command = '']) => ({ file, command }))),
  );
  expect(lines.filter(({ command }) => !COMMANDS.has(command))).toEqual([]);
  expect(lines.length).toBeGreaterThan(60);
});
