/**
 * The fields of a dashboard that have a meaning here, and their types. Everything else in it
 * (widgets, and whatever a client adds) is kept as it was sent and is nobody's business but the
 * web page's.
 */

import { type TProperties, Type } from 'typebox'
import { limits } from '../limits.ts'

/** Whatever else is in it stays. */
const openObject = <P extends TProperties>(properties: P) =>
  Type.Object(properties, { additionalProperties: true })

const variableSchema = openObject({
  name: Type.Optional(Type.String()),
  defaultValue: Type.Optional(Type.String()),
  overridable: Type.Optional(Type.Boolean()),
  selectorSettings: Type.Optional(
    openObject({
      metricName: Type.Optional(Type.String()),
      attribute: Type.Optional(Type.String()),
    }),
  ),
})

const settingsSchema = openObject({
  hideGlobalEnvironmentSelector: Type.Optional(Type.Boolean()),
  defaultTimeRange: Type.Optional(
    Type.String({
      maxLength: 64,
      pattern: '^(?=.*[1-9])(?:[0-9]+(?:ms|s|m|h|d|w|y))+$',
      description: 'a duration such as 15m, 1h, 1h30m or 7d',
    }),
  ),
})

const metadataSchema = openObject({
  id: Type.Optional(
    Type.String({
      maxLength: limits.dashboardIdLengthMax,
      pattern: '^(?!\\.{1,2}$)[A-Za-z0-9._-]+$', // "." and ".." would be steps of a path.
      description: `1 to ${limits.dashboardIdLengthMax} letters, digits, ".", "_" or "-", but not "." or ".."`,
    }),
  ),
  title: Type.Optional(Type.String()),
  folderPath: Type.Optional(
    Type.String({
      pattern: '^/(?:(?!\\.{1,2}/)[^/]+/)*$',
      description: 'a path that starts and ends with "/", without empty, "." or ".." segments',
    }),
  ),
})

const contentSchema = openObject({
  variables: Type.Optional(Type.Array(variableSchema)),
  title: Type.Optional(Type.String()),
  widgets: Type.Optional(Type.Array(Type.Unknown())),
})

export const dashboardSchema = openObject({
  settings: Type.Optional(settingsSchema),
  metadata: Type.Optional(metadataSchema),
  content: Type.Optional(contentSchema),
})
