import { compilePipeline, type Sources } from '../../compiler';

const none: Sources = { read: () => undefined, list: () => [] };

test('for a list in place of a word or a name, the message says that the key takes text', () => {
  const text = 'name: p\nagents: {a: {role: A.}}\nsteps: [{id: s, type: swarm, issue: x, verify: x, agents: {a: tests}, fixer: [a]}]\n';
  expect(compilePipeline('p.yaml', text, none).diagnostics.map(({ message }) => message)).toEqual(['"fixer" must be text, not a list']);
});
