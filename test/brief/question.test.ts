import { question } from '../../kinds/brief/rules/question';
import type { HaltCause } from '../../kinds/brief/rules/words';

test.each<[HaltCause, string]>([
  ['verdict', 'the executor tries it again, with as many retries as before'],
  ['retries', 'the executor tries it again, with as many retries as before'],
  ['malformed', 'the role is asked again'],
  ['escalation', 'the role is asked again'],
])('after %s, `retry` says who is asked', (why, says) => {
  const { result } = question({ choices: ['retry', 'stop'], halt: { why, by: 'reviewer', reason: 'x' } }, {});
  expect(result).toContain(`- \`retry\`: ${says}; it reads your comment\n`);
});
