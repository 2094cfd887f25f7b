export {
  defineExtension,
  type Extension,
  type Operation,
  type OperationCall,
} from './extension-kit/extension.js';
export type { ExtensionLog } from './extension-kit/extension-log.js';
export type { OperationContext } from './extension-kit/operation-context.js';
export type { OperationResult } from './extension-kit/operation-result.js';
export { runExtension } from './extension-kit/run-extension.js';
