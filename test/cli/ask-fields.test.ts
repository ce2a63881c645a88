import { PassThrough } from 'node:stream';
import { askPerson } from '../../cli/following/ask-person';
import { askValue } from '../../cli/following/ask-value';
import { fakeTerminal } from './fake-terminal';

/** Questions to a person at the terminal; the test is the person, who types each line once it is asked for. */
function atTerminal(lines: Record<string, string[]> = {}): { terminal: ReturnType<typeof fakeTerminal>; stdin: PassThrough } {
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  stdout.on('data', (shown: Buffer) => {
    for (const [question, answers] of Object.entries(lines)) {
      const line = shown.toString().includes(question) ? answers.shift() : undefined;
      if (line !== undefined) stdin.write(`${line}\n`);
    }
  });
  return { terminal: fakeTerminal({ stdin, stdout }), stdin };
}

const CHOICES = { choices: ['approve', 'reject'] };
const NEVER = new AbortController().signal;

test('asks until it is one of the choices, and then for a comment', async () => {
  const { terminal } = atTerminal({ '[a]pprove': ['maybe', 'a'], comment: [' go ahead '] });
  expect(await askPerson(CHOICES, terminal, NEVER)).toEqual({ choice: 'approve', comment: 'go ahead' });
});

test('takes lines that come at once one after the other', async () => {
  const { terminal, stdin } = atTerminal();
  const asked = askPerson(CHOICES, terminal, NEVER);
  stdin.write('perhaps\na\ngo ahead\n');
  expect(await asked).toEqual({ choice: 'approve', comment: 'go ahead' });
});

test('asks until the answer satisfies its schema', async () => {
  const { terminal } = atTerminal({ JSON: ['"three"', '3'] });
  const form = { prompt: 'How many?', responseSchema: { type: 'integer' } };
  expect(await askValue(form, terminal, NEVER)).toEqual({ response: 3 });
});

test('there is no answer if the question is withdrawn, or the input ends', async () => {
  const withdrawn = new AbortController();
  const asked = askPerson(CHOICES, atTerminal().terminal, withdrawn.signal);
  withdrawn.abort();
  expect(await asked).toBeUndefined();
  const { terminal, stdin } = atTerminal();
  const left = askPerson(CHOICES, terminal, NEVER);
  stdin.end();
  expect(await left).toBeUndefined();
});
