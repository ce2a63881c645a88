import { checkPersonName } from '../../cli/check-names';
import { Options } from '../../cli/command';
import type { Directory } from '../../plan/people/people';

const PEOPLE: Directory = { people: { alice: {}, bob: {} }, groups: { board: ['alice', 'bob'] } };

interface Named {
  by?: string;
  to?: string;
  user?: string;
  directory?: Directory;
  gates?: { approvers?: string[]; delegates?: Record<string, string[]> }[];
}

function check({ by, to, user, directory = PEOPLE, gates = [] }: Named): Promise<void> {
  const configuration = { directory: { value: directory, source: 'x' }, user: { value: user, source: 'x' } };
  return checkPersonName(new Options({ by, to }), configuration, () => gates);
}

test.each<[string, Named]>([
  ['--by', { by: 'alise' }],
  ['--to', { by: 'bob', to: 'Alise' }],
  ['the configured user', { user: 'alcie' }],
])('a name that resembles a person’s is refused with the name that is meant: %s', async (_, named) => {
  await expect(check(named)).rejects.toMatchObject({ code: 'usage', exit: 2, more: { hint: 'did you mean "alice"? people: alice, bob' } });
});

test('a group decides nothing: its members are listed', async () => {
  await expect(check({ by: 'board' })).rejects.toMatchObject({ exit: 2, more: { hint: 'its members: alice, bob' } });
});

test.each<[string, Named]>([
  ['is declared', { by: 'alice', to: 'bob' }],
  ['resembles nobody’s', { by: 'zebediah' }],
  ['an open gate names', { by: 'alise', gates: [{ approvers: ['alise'] }] }],
  ['stands in for an approver of an open gate', { by: 'alise', gates: [{ approvers: ['carol'], delegates: { carol: ['alise'] } }] }],
  ['is given where nobody is declared', { by: 'alise', directory: { people: {}, groups: {} } }],
  ['has a word of JavaScript’s own', { by: 'constructor' }],
])('a name passes that %s', async (_, named) => {
  await expect(check(named)).resolves.toBeUndefined();
});

test('an order that names nobody asks no run for its gates', async () => {
  let asked = 0;
  const configuration = { directory: { value: PEOPLE, source: 'x' }, user: { value: undefined, source: 'x' } };
  await checkPersonName(new Options({ by: 'alice' }), configuration, () => {
    asked += 1;
    return [];
  });
  expect(asked).toBe(0);
});
