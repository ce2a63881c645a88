import { dirname, resolve } from 'node:path';
import { compilePipeline } from '../../compiler/compile';
import { type Installation, NO_INSTALLATION } from '../../compiler/installation';
import type { Sources } from '../../compiler/sources';
import { type Compile, type LoadedTests, loadTests, type RefusedTests } from '../../compiler/test-file/load-tests';
import { FolderSources } from '../../worker/folder-sources';
import { readPipeline } from '../pipelines/pipelines';

/** Reads test files. A pipeline that several of them test is compiled once; it records which files were read, for `--watch`. */
export class TestReader {
  private readonly compiled = new Map<string, { text: string; result: ReturnType<Compile> }>();
  /** Folders of everything that was read, or looked for. */
  readonly folders = new Set<string>();

  constructor(
    private readonly cwd: string,
    private readonly installation: Installation = NO_INSTALLATION,
  ) {}

  /** Fails with exit 2 if the file cannot be read. */
  read(given: string): { file: string; loaded: LoadedTests | RefusedTests } {
    const { file, path, text } = readPipeline(given, this.cwd);
    this.folders.add(dirname(path));
    return { file, loaded: loadTests(file, text, this.sourcesFor(path), (...args) => this.compile(...args)) };
  }

  /** Whatever is compiled next is compiled again. */
  forget(): void {
    this.compiled.clear();
  }

  private compile(...[file, text, sources]: Parameters<Compile>): ReturnType<Compile> {
    const known = this.compiled.get(file);
    if (known?.text === text) return known.result;
    const result = compilePipeline(file, text, sources, { installation: this.installation });
    this.compiled.set(file, { text, result });
    return result;
  }

  /** Files are named from the current folder, and must are in that of the test. */
  private sourcesFor(path: string): Sources {
    const beside = new FolderSources(dirname(path));
    const real = (name: string): string => {
      const whole = resolve(this.cwd, name);
      this.folders.add(dirname(whole));
      return whole;
    };
    return {
      read: (name, limitBytes) => beside.read(real(name), limitBytes),
      list: (name) => beside.list(resolve(this.cwd, name)),
      isFolder: (name) => beside.isFolder(resolve(this.cwd, name)),
    };
  }
}
