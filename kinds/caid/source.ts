import type { Located } from '../../compiler/diagnostics/diagnostic';
import type { TemplateSyntax } from '../../compiler/expression/syntax';
import type { Isolation, TaskType, VerifyPolicy } from './rules/team';

export interface CaidSource {
  kind: 'caid';
  prompt?: TemplateSyntax;
  repo?: TemplateSyntax;
  remote?: string;
  base?: string;
  into?: Located<string>;
  manager?: Located<string>;
  engineers?: Located<string>;
  most?: Located<number>;
  taskType?: TaskType;
  copy?: string[];
  setup?: TemplateSyntax[];
  testEach?: string;
  testEnd?: string;
  restricted?: string[];
  verify?: VerifyPolicy;
  isolation?: Isolation;
  rounds?: number;
  roundsPerEngineer?: number;
  returns?: number;
}
