import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Interface: PerspectiveScope","description":"","frontmatter":{},"headers":[],"relativePath":"reference/api/interfaces/svc-runtime.PerspectiveScope.md","filePath":"reference/api/interfaces/svc-runtime.PerspectiveScope.md"}');
const _sfc_main = { name: "reference/api/interfaces/svc-runtime.PerspectiveScope.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="interface-perspectivescope" tabindex="-1">Interface: PerspectiveScope <a class="header-anchor" href="#interface-perspectivescope" aria-label="Permalink to &quot;Interface: PerspectiveScope&quot;">​</a></h1><p>Whose data is selected.</p><h2 id="properties" tabindex="-1">Properties <a class="header-anchor" href="#properties" aria-label="Permalink to &quot;Properties&quot;">​</a></h2><h3 id="allowedprincipals" tabindex="-1">allowedPrincipals <a class="header-anchor" href="#allowedprincipals" aria-label="Permalink to &quot;allowedPrincipals&quot;">​</a></h3><blockquote><p><code>readonly</code> <strong>allowedPrincipals</strong>: readonly <code>string</code>[]</p></blockquote><hr><h3 id="customerid" tabindex="-1">customerId? <a class="header-anchor" href="#customerid" aria-label="Permalink to &quot;customerId?&quot;">​</a></h3><blockquote><p><code>readonly</code> <code>optional</code> <strong>customerId?</strong>: <code>string</code></p></blockquote><hr><h3 id="extensions" tabindex="-1">extensions <a class="header-anchor" href="#extensions" aria-label="Permalink to &quot;extensions&quot;">​</a></h3><blockquote><p><code>readonly</code> <strong>extensions</strong>: <code>Readonly</code>&lt;<code>Record</code>&lt;<code>string</code>, <code>string</code>&gt;&gt;</p></blockquote><hr><h3 id="organizationid" tabindex="-1">organizationId? <a class="header-anchor" href="#organizationid" aria-label="Permalink to &quot;organizationId?&quot;">​</a></h3><blockquote><p><code>readonly</code> <code>optional</code> <strong>organizationId?</strong>: <code>string</code></p></blockquote><hr><h3 id="tenantid" tabindex="-1">tenantId? <a class="header-anchor" href="#tenantid" aria-label="Permalink to &quot;tenantId?&quot;">​</a></h3><blockquote><p><code>readonly</code> <code>optional</code> <strong>tenantId?</strong>: <code>string</code></p></blockquote><hr><h3 id="userid" tabindex="-1">userId? <a class="header-anchor" href="#userid" aria-label="Permalink to &quot;userId?&quot;">​</a></h3><blockquote><p><code>readonly</code> <code>optional</code> <strong>userId?</strong>: <code>string</code></p></blockquote></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("reference/api/interfaces/svc-runtime.PerspectiveScope.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const svcRuntime_PerspectiveScope = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  svcRuntime_PerspectiveScope as default
};
