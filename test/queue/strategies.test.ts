import { checkStrategies } from '../../activities/queue/check-strategies';
import type { MergeHost } from '../../activities/queue-port';
import type { MergeStrategy } from '../../plan/queue/queue-settings';
import { scratchFolder } from '../git/scene';
import { planFrom } from '../patterns/compiled';
import { QueueScene } from './scene';

const AGENTS = 'agents: {writer: {role: You write.}}\n';

const board = (strategy: MergeStrategy, worktree = 'true') =>
  `${AGENTS}steps:
  - id: team
    type: board
    worktree: ${worktree}
    merge: {into: main, strategy: ${strategy}}
    members: [{name: al, agent: writer}]
    tasks: [{subject: Write it}]
`;
const merge = (strategy: MergeStrategy, { into = 'main', build = 'worktree: true' } = {}) =>
  `args: {branch: {default: main}}
steps:
  - {id: build, run: make, ${build}}
  - {id: docs, run: make docs, worktree: build}
  - {id: land, type: merge, from: [docs], into: ${into}, strategy: ${strategy}}
`;
const caid = (isolation: string) =>
  `${AGENTS}steps: [{id: port, type: caid, manager: writer, engineers: {agent: writer}, into: main, prompt: Port it., isolation: ${isolation}}]
`;

let scene: QueueScene;
beforeAll(() => {
  scene = new QueueScene();
});

function hostOf(of: QueueScene): MergeHost {
  const { mergeHost } = of.toolbox();
  if (!mergeHost) throw new Error('it has no merge host');
  return mergeHost;
}

async function checked(text: string, ofQueue: MergeStrategy = 'squash'): Promise<string> {
  scene.rules = { ...scene.rules, strategy: ofQueue };
  return await checkStrategies(hostOf(scene), planFrom(text)).then(
    () => 'begins',
    (error: { code: string }) => error.code,
  );
}

test.each([
  ['a board', board('rebase'), board('squash')],
  ['a merge of a step that works in the worktree of another', merge('rebase'), merge('squash')],
  ['a team in one checkout, which needs merges', caid('shared'), caid('worktree')],
])('with another strategy than the queue’s nothing begins: %s', async (_, wrong, right) => {
  expect([await checked(wrong), await checked(right)]).toEqual(['merge.strategy', 'begins']);
});

test('the queue is that of the repository in which the worktrees are made', async () => {
  const other = new QueueScene();
  const host = hostOf(scene);
  const rules: typeof host.rules = ({ repository }) => ({
    ...scene.rules,
    strategy: repository === other.target.repository ? 'rebase' : 'squash',
  });
  const both = { ...host, rules };
  const there = planFrom(board('rebase', `{repo: ${other.folder}}`));
  await expect(checkStrategies(both, there)).resolves.toBeUndefined();
  await expect(checkStrategies(both, planFrom(board('rebase')))).rejects.toMatchObject({ code: 'merge.strategy' });
});

test.each([
  ['a repository that is not there yet', board('rebase', `{repo: ${scratchFolder()}}`)],
  ['a repository that an expression names', merge('rebase', { build: `worktree: {repo: "\${args.branch}"}` })],
  ['a branch that an expression names', merge('rebase', { into: `"\${args.branch}"` })],
  ['worktrees of another host', merge('rebase', { build: 'worktree: true, queue: build' })],
])('left to the landing: %s', async (_, text) => {
  expect(await checked(text)).toBe('begins');
});
