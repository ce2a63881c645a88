import { COST_CATEGORIES } from '../../plan/brief/category';
import { BUILT_IN_ROLES, outOfScope } from '../../plan/brief/role';
import { type RoleDefinition, registeredRoles, registerRole } from '../../worker/registered-roles';

const AUDITOR: RoleDefinition = { id: 'auditor', description: ' Audits. ', prompt_overlay: 'You audit.', tool_categories: ['http_fetch'] };

test('a registered role is known, in the words of plans', () => {
  registerRole(AUDITOR);
  expect(registeredRoles()).toEqual([
    { id: 'auditor', description: 'Audits.', promptOverlay: 'You audit.', toolCategories: ['http_fetch'], allowReadFile: false },
  ]);
  expect(() => registerRole(AUDITOR)).toThrow(TypeError);
});

test.each<[string, object]>([
  ['the id of a built-in role', { id: 'planner' }],
  ['the id of another part', { id: 'operator' }],
  ['an id that is a path', { id: '../x' }],
  ['no id', { id: undefined }],
  ['no description', { description: ' ' }],
  ['no instructions', { prompt_overlay: '' }],
  ['an unknown category', { tool_categories: ['shell'] }],
  ['categories that are no list', { tool_categories: 'shell_exec' }],
  ['a word for true', { allow_read_file: 'yes' }],
])('a role with %s is refused', (_, change) => {
  expect(() => registerRole({ ...AUDITOR, id: 'other', ...change } as RoleDefinition)).toThrow(TypeError);
  expect(registeredRoles().map(({ id }) => id)).not.toContain('other');
});

describe('what a built-in role may do at most', () => {
  const asked = [...COST_CATEGORIES, 'mcp_tool:files:read'] as const;
  const rest = asked.filter((category) => category !== 'filesystem_read');

  test.each([
    ['planner', asked],
    ['executor', []],
    ['reviewer', rest],
    ['critic', rest],
  ] as const)('%s has not %j', (id, missing) => {
    expect(outOfScope(BUILT_IN_ROLES[id], [...asked, ...asked])).toEqual(missing);
  });

  it('a role without categories reads files if it may', () => {
    expect(outOfScope({ ...BUILT_IN_ROLES.planner, allowReadFile: true }, ['filesystem_read', 'shell_exec'])).toEqual(['shell_exec']);
  });
});
