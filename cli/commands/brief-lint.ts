import { isBriefFile } from '../../compiler/brief/brief-file';
import type { Invocation } from '../command';
import { EXIT, usage } from '../exit';
import { findPipeline } from '../pipelines/pipelines';
import { configurationOf } from '../settings/settings';
import { execute as validate } from './validate';

/** Checks briefs as `validate` does, with 1 for mistakes. A file that is no brief, or cannot be read, is a wrong call. */
export async function execute(invocation: Invocation): Promise<number> {
  const { args, terminal } = invocation;
  const configuration = configurationOf(invocation);
  for (const given of args) {
    const { file, path } = findPipeline(given, configuration, terminal.cwd);
    if (!isBriefFile(path)) throw usage(`${file} is not a brief: a brief is a Markdown file`, `for pipelines: thermidor validate ${given}`);
  }
  const exit = await validate(invocation);
  return exit === EXIT.usage ? EXIT.failed : exit;
}
