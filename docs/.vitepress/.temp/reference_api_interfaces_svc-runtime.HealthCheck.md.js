import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Interface: HealthCheck","description":"","frontmatter":{},"headers":[],"relativePath":"reference/api/interfaces/svc-runtime.HealthCheck.md","filePath":"reference/api/interfaces/svc-runtime.HealthCheck.md"}');
const _sfc_main = { name: "reference/api/interfaces/svc-runtime.HealthCheck.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="interface-healthcheck" tabindex="-1">Interface: HealthCheck <a class="header-anchor" href="#interface-healthcheck" aria-label="Permalink to &quot;Interface: HealthCheck&quot;">​</a></h1><p>Checks one thing periodically; throwing or exceeding the timeout counts as Unhealthy.</p><h2 id="properties" tabindex="-1">Properties <a class="header-anchor" href="#properties" aria-label="Permalink to &quot;Properties&quot;">​</a></h2><h3 id="name" tabindex="-1">name <a class="header-anchor" href="#name" aria-label="Permalink to &quot;name&quot;">​</a></h3><blockquote><p><code>readonly</code> <strong>name</strong>: <code>string</code></p></blockquote><hr><h3 id="periodms" tabindex="-1">periodMs? <a class="header-anchor" href="#periodms" aria-label="Permalink to &quot;periodMs?&quot;">​</a></h3><blockquote><p><code>readonly</code> <code>optional</code> <strong>periodMs?</strong>: <code>number</code></p></blockquote><p>Default 5 s; at most 1 s while the check is Unhealthy.</p><hr><h3 id="tags" tabindex="-1">tags <a class="header-anchor" href="#tags" aria-label="Permalink to &quot;tags&quot;">​</a></h3><blockquote><p><code>readonly</code> <strong>tags</strong>: readonly <code>string</code>[]</p></blockquote><hr><h3 id="timeoutms" tabindex="-1">timeoutMs? <a class="header-anchor" href="#timeoutms" aria-label="Permalink to &quot;timeoutMs?&quot;">​</a></h3><blockquote><p><code>readonly</code> <code>optional</code> <strong>timeoutMs?</strong>: <code>number</code></p></blockquote><p>Default 2 s.</p><h2 id="methods" tabindex="-1">Methods <a class="header-anchor" href="#methods" aria-label="Permalink to &quot;Methods&quot;">​</a></h2><h3 id="check" tabindex="-1">check() <a class="header-anchor" href="#check" aria-label="Permalink to &quot;check()&quot;">​</a></h3><blockquote><p><strong>check</strong>(<code>signal</code>): <code>HealthReport</code> | <code>Promise</code>&lt;<code>HealthReport</code>&gt;</p></blockquote><p>The signal is aborted when the result is no longer needed.</p><h4 id="parameters" tabindex="-1">Parameters <a class="header-anchor" href="#parameters" aria-label="Permalink to &quot;Parameters&quot;">​</a></h4><table tabindex="0"><thead><tr><th>Parameter</th><th>Type</th></tr></thead><tbody><tr><td><code>signal</code></td><td><code>AbortSignal</code></td></tr></tbody></table><h4 id="returns" tabindex="-1">Returns <a class="header-anchor" href="#returns" aria-label="Permalink to &quot;Returns&quot;">​</a></h4><p><code>HealthReport</code> | <code>Promise</code>&lt;<code>HealthReport</code>&gt;</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("reference/api/interfaces/svc-runtime.HealthCheck.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const svcRuntime_HealthCheck = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  svcRuntime_HealthCheck as default
};
