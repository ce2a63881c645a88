export { lowerLobster } from './file/workflow';
