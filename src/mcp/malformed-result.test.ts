import { describe, expect, it } from 'vitest';
import { findMalformation } from './malformed-result.js';

const text = { type: 'text', text: 'x' };

describe('a result with the shape of one', () => {
  it.each([
    ['tool', { content: [] }],
    ['tool', { content: [text], isError: false, _meta: {}, later: 1 }],
    ['tool', { content: [{ type: 'image', data: 'AA', mimeType: 'image/png' }] }],
    ['tool', { content: [{ type: 'resource', resource: { uri: 'a:b', text: 'x' } }] }],
    ['tool', { content: [{ type: 'resource_link', uri: 'a:b', name: 'b' }] }],
    // Of a later revision.
    ['tool', { content: [{ type: 'hologram', waves: 3 }] }],
    ['tool', { resultType: 'complete', content: [text] }],
    ['tool', { resultType: 'input_required', inputRequests: {} }],
    ['tool', { resultType: 'task', taskId: '1' }],
    ['tool', { task: { taskId: '1' } }],
    ['tool', { structuredContent: { a: 1 } }],
    // Of the first one.
    ['tool', { toolResult: 'x' }],
    ['resource', { contents: [{ uri: 'a:b', blob: 'AA' }] }],
    ['prompt', { messages: [{ role: 'user', content: text }] }],
    ['other', { anything: 1 }],
  ] as const)('has no fault: %s %j', (kind, result) => {
    expect(findMalformation(kind, result)).toBeUndefined();
  });
});

describe('a malformed result', () => {
  it.each([
    ['tool', null, 'the result is null, not an object'],
    ['tool', [text], 'the result is a list, not an object'],
    ['other', 'ok', 'the result is a string, not an object'],
    ['tool', {}, 'content is missing'],
    ['tool', { content: null }, 'content is null, not a list'],
    ['tool', { content: 'x' }, 'content is a string, not a list'],
    ['tool', { content: [], isError: 'yes' }, 'isError is a string, not true or false'],
    ['tool', { content: ['x'] }, 'content[0] is a string, not an object'],
    ['tool', { content: [text, { text: 'x' }] }, 'content[1] has no type'],
    ['tool', { content: [{ type: 'text' }] }, 'content[0] is of type text and has no text'],
    [
      'tool',
      { content: [{ type: 'image', data: 'AA' }] },
      'content[0] is of type image and has no mimeType',
    ],
    ['tool', { content: [{ type: 'resource' }] }, 'content[0] is null, not a resource'],
    ['resource', { content: [] }, 'contents is missing'],
    ['resource', { contents: [{ text: 'x' }] }, 'contents[0] has no uri'],
    ['resource', { contents: [{ uri: 'a:b' }] }, 'contents[0] has neither text nor blob'],
    ['prompt', { messages: [{ content: text }] }, 'messages[0] has no role'],
    [
      'prompt',
      { messages: [{ role: 'user', content: 'x' }] },
      'messages[0] is a string, not an object',
    ],
  ] as const)('says what is wrong: %s %j', (kind, result, fault) => {
    expect(findMalformation(kind, result)).toBe(fault);
  });
});
