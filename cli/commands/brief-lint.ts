import { isBriefFile } from '../../compiler/brief/brief-file';
import type { Invocation } from '../command';
import { EXIT, usage } from '../exit';
import { readPipeline } from '../pipelines/pipelines';
import { execute as validate } from './validate';

/** Checks briefs as `validate` does, with 1 for mistakes. A file that is no brief, or cannot be read, is a wrong call. */
export async function execute(invocation: Invocation): Promise<number> {
  const { args, terminal } = invocation;
  for (const file of args) {
    if (!isBriefFile(file)) throw usage(`${file} is no brief: that is a Markdown file`, `for pipelines: thermidor validate ${file}`);
    readPipeline(file, terminal.cwd);
  }
  const exit = await validate(invocation);
  return exit === EXIT.usage ? EXIT.failed : exit;
}
