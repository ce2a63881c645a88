import { answerCommands } from '../../activities/gates/notice-text';
import { CATALOGUE } from '../../cli/catalogue/index';
import { buildProgram } from '../../cli/program';
import type { GateNotice } from '../../plan/people/notice';
import { fakeTerminal } from '../cli/fake-terminal';

const asks = (more: Partial<GateNotice> = {}): GateNotice => ({
  step: 'ask',
  kind: 'approval',
  question: 'Go?',
  choices: ['approve', 'reject', 'revise'],
  shownSha256: '0'.repeat(64),
  approvers: ['ann', 'bob', 'cy'],
  ...more,
});

test('a message names somebody whose vote is still taken, the comment that is asked for, and the server', () => {
  const gate = asks({ approvedBy: ['ann'], notBy: ['bob'], comment: 'on_reject', identity: 'proven' });
  const end = ' --token secret://env/YOUR_TOKEN --address there:7233';
  expect(answerCommands('r', gate, ' --address there:7233')).toEqual([
    `thermidor approve r ask --by cy${end}`,
    `thermidor reject r ask --by cy --comment WHY${end}`,
    `thermidor respond r ask --response revise --by cy${end}`,
  ]);
});

test.each([
  ['an approval', asks()],
  ['one that wants a comment and proof', asks({ comment: 'always', identity: 'proven' })],
  ['an input', asks({ kind: 'input', choices: ['respond'] })],
  ['a budget', asks({ kind: 'budget', choices: ['extend_budget', 'abort'] })],
])('the program takes every line that a message prints for %s', async (_, gate) => {
  for (const line of answerCommands('r', gate, ' --address there:7233')) {
    const reached: string[] = [];
    const program = buildProgram(fakeTerminal(), '0', async ({ name }) => void reached.push(name));
    await program.parseAsync(line.replaceAll("'", '').replace('YOUR ANSWER', 'yes').split(' ').slice(1), { from: 'user' });
    expect(CATALOGUE.map(({ name }) => name)).toContain(reached[0]);
  }
});
