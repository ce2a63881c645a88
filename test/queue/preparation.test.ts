import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { recordSlot } from '../../activities/worktrees/slot-record';
import type { Template } from '../../plan/expressions/expression';
import type { QueueSettings } from '../../plan/queue/queue-settings';
import type { Step } from '../../plan/steps/step';
import { KEY, workshop } from '../activities/workshop';
import type { Files } from '../git/scene';
import { QueueScene } from './scene';

/** A repository whose tests need files that git ignores: an installed one, and one that only the checkout has. */
const FILES: Files = {
  '.gitignore': 'installed\n.env\n',
  'wanted.txt': 'lib\n',
  'install.sh': 'cat wanted.txt > installed && echo "installing $(cat installed)" && grep -q lib installed\n',
  'test.sh': 'grep -q lib installed && grep -q port .env && ! test -e broken.txt\n',
};

const TEST = 'sh test.sh';

class PreparedScene extends QueueScene {
  constructor() {
    super({ files: FILES });
    writeFileSync(join(this.folder, '.env'), 'port=1\n');
  }

  /** The submitted candidate of a run whose step has worked in a worktree with this `setup`. */
  async candidateOf(setup: readonly (string | Template)[], files: Files, copy: readonly string[] = [], by = KEY) {
    const shop = workshop({}, this.stateDir);
    const step: Step = {
      ...{ id: 'build', kind: 'command', command: { shell: ['true'] } },
      worktree: { setup: setup.map((command) => (typeof command === 'string' ? [command] : command)), copy: [...copy] },
    };
    await shop.open([step], { args: { token: { secret: true } } }, undefined, { token: 'secret://env/TOKEN' });
    const { repository, refsIn } = this.target;
    await recordSlot(this.ledger, KEY, 'build', { plan: { repository, refsIn, base: this.head(), copy, keep: false }, reads: {} });
    return await this.submit('build', files, { madeIn: { ...KEY, slot: 'build' }, baseline: TEST }, by);
  }

  async tested(asked: Awaited<ReturnType<QueueScene['submit']>>, settings: Partial<QueueSettings>) {
    const onto = this.head();
    const { result } = await this.merge([asked], { settings });
    return await this.test(result, settings, [asked], undefined, onto);
  }
}

describe('a merged tree is prepared before it is tested', () => {
  test.each<[string, (scene: PreparedScene) => Promise<unknown>]>([
    [
      'by the queue: `setup` and `copy` of its rules',
      async (scene) => scene.tested(await scene.submit('a', { 'a.txt': 'a\n' }), { setup: ['sh install.sh'], copy: ['.env'], test: TEST }),
    ],
    [
      'as the worktree was that the candidate was made in',
      async (scene) => scene.tested(await scene.candidateOf(['sh install.sh'], { 'a.txt': 'a\n' }, ['.env']), { test: TEST }),
    ],
    [
      'as the worktree was, where a rerun lands what the run before it has made',
      async (scene) => {
        const rerun = { workflowId: 'rerun', run: 'r2' };
        return scene.tested(await scene.candidateOf(['sh install.sh'], { 'a.txt': 'a\n' }, ['.env'], rerun), { test: TEST });
      },
    ],
    [
      'by both, and what both say runs once',
      async (scene) =>
        scene.tested(await scene.candidateOf(['mkdir once', 'sh install.sh'], { 'a.txt': 'a\n' }, ['.env']), {
          ...{ setup: ['mkdir once'], copy: ['.env'], test: TEST },
        }),
    ],
  ])('%s', async (_, work) => {
    expect(await work(new PreparedScene())).toEqual({ kind: 'green' });
  });

  test('without it, the tests are red, and the target’s are no less', async () => {
    const scene = new PreparedScene();
    const asked = await scene.submit('a', { 'a.txt': 'a\n' });
    expect(await scene.tested(asked, { test: TEST })).toMatchObject({ kind: 'red', of: 'queue', isTargets: true });
  });
});

describe('who is to blame', () => {
  const RULES = { setup: ['sh install.sh'], copy: ['.env'], test: TEST };

  test('a candidate that breaks `setup` comes back, with the command, its place and its output', async () => {
    const scene = new PreparedScene();
    const red = await scene.tested(await scene.submit('a', { 'wanted.txt': 'nothing\n' }), RULES);
    expect(red).toMatchObject({ kind: 'red', of: 'queue', tail: expect.stringContaining('installing nothing') });
    expect(red).toMatchObject({ reason: expect.stringMatching(/^"sh install.sh", command 1 of `setup`, failed before the tests: /) });
    expect(red).not.toHaveProperty('isTargets');
  });

  test('a candidate that breaks the `setup` of its own worktree comes back, and not that of another', async () => {
    const scene = new PreparedScene();
    const red = await scene.tested(await scene.candidateOf(['sh install.sh'], { 'wanted.txt': 'nothing\n' }, ['.env']), {});
    expect(red).toMatchObject({ kind: 'red', of: 1, reason: expect.stringContaining('`setup`') });
    expect(red).not.toHaveProperty('isTargets');
  });

  test('a `setup` that fails on the target as well is nobody’s', async () => {
    const scene = new PreparedScene();
    const red = await scene.tested(await scene.submit('a', { 'a.txt': 'a\n' }), { ...RULES, setup: ['no-such-program'] });
    expect(red).toMatchObject({ kind: 'red', isTargets: true });
  });

  test('a candidate that breaks the tests is compared with a target that is prepared as well', async () => {
    const scene = new PreparedScene();
    const red = await scene.tested(await scene.submit('a', { 'broken.txt': 'x\n' }), RULES);
    expect(red).toMatchObject({ kind: 'red', of: 'queue' });
    expect(red).not.toHaveProperty('isTargets');
  });

  test('nothing that `copy` names is missing without a word', async () => {
    const scene = new PreparedScene();
    const asked = await scene.submit('a', { 'a.txt': 'a\n' });
    await expect(scene.tested(asked, { ...RULES, copy: ['gone'] })).rejects.toMatchObject({ message: expect.stringContaining('"gone"') });
  });
});

test('a candidate whose run is gone is tested in no tree that nothing has prepared', async () => {
  const scene = new PreparedScene();
  const madeIn = { workflowId: 'gone', run: 'r0', slot: 'build' };
  const asked = await scene.submit('build', { 'a.txt': 'a\n' }, { madeIn, baseline: TEST });
  await expect(scene.tested(asked, {})).rejects.toMatchObject({ code: 'artifact.missing', message: expect.stringContaining('gone') });
});

test('what a `setup` prints of its run’s secrets is in nothing that comes back', async () => {
  const scene = new PreparedScene();
  const box = scene.toolbox();
  box.secrets = { resolve: async () => 'hush-hush-value' };
  const printing: Template = ['echo token: ', { kind: 'arg', name: 'token', path: [] }, '; exit 1'];
  const asked = await scene.candidateOf([printing], { 'a.txt': 'a\n' });
  const { result } = await scene.merge([asked]);
  const red = await scene.test(result, {}, [asked], box);
  expect(red).toMatchObject({ kind: 'red', of: 1, tail: expect.stringContaining('token: ***') });
  expect(JSON.stringify(red)).not.toContain('hush');
});
