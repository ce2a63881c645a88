import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Block, blocksOfPage, placeOf } from '../../docs/block';
import { Scratch } from './scratch';

/** A page of the docs that is followed block by block, in an empty folder, with real repositories and a real server. */
export class Page {
  private constructor(
    readonly scratch: Scratch,
    private readonly trees: string,
    private readonly blocks: Block[],
  ) {}

  /** It names a folder for worktrees, because the default one would be within the page's repository. */
  static async open(path: string): Promise<Page> {
    const trees = mkdtempSync(join(tmpdir(), 'thermidor-trees-'));
    const scratch = await Scratch.make({ THERMIDOR_WORKTREES: trees });
    await scratch.keepServer();
    return new Page(scratch, trees, blocksOfPage(path));
  }

  next(language: string): string {
    const block = this.blocks.shift();
    if (block?.language !== language) throw new Error(`${block ? placeOf(block) : 'the end'} is no ${language}`);
    return block.text;
  }

  /** The blocks after the last one that was taken. */
  rest(): readonly Block[] {
    return this.blocks;
  }

  shell(text: string): string {
    const env = { ...process.env, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' };
    return execFileSync('sh', ['-ec', text], { cwd: this.scratch.folder, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();
  }

  async close(): Promise<void> {
    await this.scratch.close();
    rmSync(this.trees, { recursive: true });
  }
}
