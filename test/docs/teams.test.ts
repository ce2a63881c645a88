import { compiledIn } from './play-printed';
import { filesOf, inFolder } from './printed-files';

/** A team goes on until somebody stops it: it is compiled here, and played by `teams/maintainers.test.yaml`. */
test('the page prints a team', async () => {
  const [file, ...others] = filesOf('docs/teams.md');
  expect([file?.path, others.length]).toEqual(['teams/maintainers.yaml', 0]);
  await inFolder([], async (folder) => {
    const compiled = compiledIn(folder, file?.path ?? '', file?.text ?? '');
    expect(compiled?.plan.block.steps).toMatchObject([{ kind: 'board', team: 'maintainers', until: 'stopped' }]);
  });
});
