export {
  defineExtension,
  type Extension,
  type ExtensionLog,
  type Operation,
  type OperationCall,
  type OperationContext,
  type OperationResult,
} from './extension-kit/extension.js';
export { runExtension } from './extension-kit/serve-extension.js';
