/** The questions that pages ask about a store, each under a key of its own, so that an answer is asked for once. */

import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { answered, api } from '../api/client'
import type { paths } from '../api/schema'

type Query<P extends keyof paths> = paths[P] extends { get: { parameters: { query?: infer Q } } }
  ? NonNullable<Q>
  : never

export const about = queryOptions({
  queryKey: ['about'],
  queryFn: ({ signal }) => answered(api.GET('/api/v1/about', { signal })),
})

export const search = (query: Query<'/api/v1/search'>) =>
  queryOptions({
    queryKey: ['search', query],
    queryFn: ({ signal }) => answered(api.GET('/api/v1/search', { params: { query }, signal })),
    enabled: query.q.trim() !== '',
    placeholderData: keepPreviousData,
  })

export const tables = (query: Query<'/api/v1/tables'>) =>
  queryOptions({
    queryKey: ['tables', query],
    queryFn: ({ signal }) => answered(api.GET('/api/v1/tables', { params: { query }, signal })),
    placeholderData: keepPreviousData,
  })

export const table = (query: Query<'/api/v1/table'>) =>
  queryOptions({
    queryKey: ['table', query],
    queryFn: ({ signal }) => answered(api.GET('/api/v1/table', { params: { query }, signal })),
    enabled: query.of !== '',
  })

export const column = (query: Query<'/api/v1/column'>) =>
  queryOptions({
    queryKey: ['column', query],
    queryFn: ({ signal }) => answered(api.GET('/api/v1/column', { params: { query }, signal })),
    enabled: query.of !== '',
  })

export const neighbourhood = (query: Query<'/api/v1/neighbourhood'>) =>
  queryOptions({
    queryKey: ['neighbourhood', query],
    queryFn: ({ signal }) => answered(api.GET('/api/v1/neighbourhood', { params: { query }, signal })),
  })

export const upstream = (query: Query<'/api/v1/upstream'>) =>
  queryOptions({
    queryKey: ['upstream', query],
    queryFn: ({ signal }) => answered(api.GET('/api/v1/upstream', { params: { query }, signal })),
    placeholderData: keepPreviousData,
  })

export const downstream = (query: Query<'/api/v1/downstream'>) =>
  queryOptions({
    queryKey: ['downstream', query],
    queryFn: ({ signal }) => answered(api.GET('/api/v1/downstream', { params: { query }, signal })),
    placeholderData: keepPreviousData,
  })

export const path = (query: Query<'/api/v1/path'>) =>
  queryOptions({
    queryKey: ['path', query],
    queryFn: ({ signal }) => answered(api.GET('/api/v1/path', { params: { query }, signal })),
    enabled: query.source !== '' && query.target !== '',
  })

export const pathDiagram = (query: Query<'/api/v1/path/diagram'>) =>
  queryOptions({
    queryKey: ['path-diagram', query],
    queryFn: ({ signal }) => answered(api.GET('/api/v1/path/diagram', { params: { query }, signal })),
    enabled: query.source !== '' && query.target !== '',
  })

export const impact = (query: Query<'/api/v1/impact'>) =>
  queryOptions({
    queryKey: ['impact', query],
    queryFn: ({ signal }) => answered(api.GET('/api/v1/impact', { params: { query }, signal })),
    placeholderData: keepPreviousData,
  })

export const diff = (query: Query<'/api/v1/diff'>) =>
  queryOptions({
    queryKey: ['diff', query],
    queryFn: ({ signal }) => answered(api.GET('/api/v1/diff', { params: { query }, signal })),
    placeholderData: keepPreviousData,
  })

export const unused = (query: Query<'/api/v1/unused'>) =>
  queryOptions({
    queryKey: ['unused', query],
    queryFn: ({ signal }) => answered(api.GET('/api/v1/unused', { params: { query }, signal })),
    placeholderData: keepPreviousData,
  })

export const coverage = (query: Query<'/api/v1/coverage'>) =>
  queryOptions({
    queryKey: ['coverage', query],
    queryFn: ({ signal }) => answered(api.GET('/api/v1/coverage', { params: { query }, signal })),
  })

export const diagnostics = (query: Query<'/api/v1/diagnostics'>) =>
  queryOptions({
    queryKey: ['diagnostics', query],
    queryFn: ({ signal }) => answered(api.GET('/api/v1/diagnostics', { params: { query }, signal })),
    placeholderData: keepPreviousData,
  })

export const tags = (query: Query<'/api/v1/tags'>) =>
  queryOptions({
    queryKey: ['tags', query],
    queryFn: ({ signal }) => answered(api.GET('/api/v1/tags', { params: { query }, signal })),
    placeholderData: keepPreviousData,
  })

export const tagPath = (query: Query<'/api/v1/tags/path'>) =>
  queryOptions({
    queryKey: ['tag-path', query],
    queryFn: ({ signal }) => answered(api.GET('/api/v1/tags/path', { params: { query }, signal })),
  })

export const scripts = (query: Query<'/api/v1/scripts'>) =>
  queryOptions({
    queryKey: ['scripts', query],
    queryFn: ({ signal }) => answered(api.GET('/api/v1/scripts', { params: { query }, signal })),
    placeholderData: keepPreviousData,
  })

export const script = (id: string, query: Query<'/api/v1/scripts/{id}'>) =>
  queryOptions({
    queryKey: ['script', id, query],
    queryFn: ({ signal }) => answered(api.GET('/api/v1/scripts/{id}', { params: { path: { id }, query }, signal })),
    enabled: id !== '',
  })
