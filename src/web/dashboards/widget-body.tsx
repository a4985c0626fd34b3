/** What is in a widget, by its type; types that nobody knows here are shown as such. */

import { ChartWidget, type ChartWidgetProps } from './widgets/chart-widget.tsx'
import { LogWidget } from './widgets/log-widget.tsx'
import { MarkdownWidget } from './widgets/markdown-widget.tsx'
import { PanelNote } from './widgets/panel-states.tsx'
import { StatWidget } from './widgets/stat-widget.tsx'

export function WidgetBody({ widget, height, isInSight }: ChartWidgetProps) {
  switch (widget.type) {
    case 'chart':
      return <ChartWidget widget={widget} height={height} isInSight={isInSight} />
    case 'stat':
    case 'gauge':
      return <StatWidget widget={widget} isInSight={isInSight} />
    case 'log':
      return <LogWidget widget={widget} isInSight={isInSight} />
    case 'markdown':
      return <MarkdownWidget content={widget.content} />
    case 'trace':
      return <PanelNote>Traces are shown here by other services; this one has logs only.</PanelNote>
    default:
      return (
        <PanelNote>
          This page cannot draw a widget of the type “{widget.type || 'none'}”. It is kept as it is.
        </PanelNote>
      )
  }
}
