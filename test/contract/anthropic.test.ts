import { describeAdapter } from './describe-adapter';
import { ANTHROPIC } from './harness/anthropic';

describeAdapter('anthropic', ANTHROPIC);
