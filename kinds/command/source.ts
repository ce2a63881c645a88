import type { Located } from '../../compiler/diagnostics/diagnostic';
import type { TemplateSyntax } from '../../compiler/expression/syntax';
import type { OutputSource } from '../../compiler/shape/source-parts';
import type { TestSource } from '../../plan/run/test-report';

export interface CommandSource extends OutputSource {
  kind: 'command';
  command?: { shell: Located<TemplateSyntax> } | { argv: Located<TemplateSyntax>[] };
  cwd?: TemplateSyntax;
  env?: Map<string, Located<TemplateSyntax>>;
  stdin?: TemplateSyntax;
  tests?: TestSource;
}
