import { describeAdapter } from './describe-adapter';
import { MODEL_LOOP } from './harness/model-loop';

describeAdapter('of any service', MODEL_LOOP);
