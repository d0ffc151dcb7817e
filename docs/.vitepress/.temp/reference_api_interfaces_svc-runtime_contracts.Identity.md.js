import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Interface: Identity","description":"","frontmatter":{},"headers":[],"relativePath":"reference/api/interfaces/svc-runtime_contracts.Identity.md","filePath":"reference/api/interfaces/svc-runtime_contracts.Identity.md"}');
const _sfc_main = { name: "reference/api/interfaces/svc-runtime_contracts.Identity.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="interface-identity" tabindex="-1">Interface: Identity <a class="header-anchor" href="#interface-identity" aria-label="Permalink to &quot;Interface: Identity&quot;">​</a></h1><p>Who sends a request, and what they may do.</p><h2 id="properties" tabindex="-1">Properties <a class="header-anchor" href="#properties" aria-label="Permalink to &quot;Properties&quot;">​</a></h2><h3 id="displayname" tabindex="-1">displayName? <a class="header-anchor" href="#displayname" aria-label="Permalink to &quot;displayName?&quot;">​</a></h3><blockquote><p><code>readonly</code> <code>optional</code> <strong>displayName?</strong>: <code>string</code></p></blockquote><hr><h3 id="permissions" tabindex="-1">permissions <a class="header-anchor" href="#permissions" aria-label="Permalink to &quot;permissions&quot;">​</a></h3><blockquote><p><code>readonly</code> <strong>permissions</strong>: readonly <a href="./../classes/svc-runtime.Permission"><code>Permission</code></a>[]</p></blockquote><hr><h3 id="roles" tabindex="-1">roles <a class="header-anchor" href="#roles" aria-label="Permalink to &quot;roles&quot;">​</a></h3><blockquote><p><code>readonly</code> <strong>roles</strong>: readonly <code>string</code>[]</p></blockquote><hr><h3 id="scope" tabindex="-1">scope <a class="header-anchor" href="#scope" aria-label="Permalink to &quot;scope&quot;">​</a></h3><blockquote><p><code>readonly</code> <strong>scope</strong>: <a href="./svc-runtime.PerspectiveScope"><code>PerspectiveScope</code></a></p></blockquote><p>Whose data the caller acts on.</p><hr><h3 id="source" tabindex="-1">source <a class="header-anchor" href="#source" aria-label="Permalink to &quot;source&quot;">​</a></h3><blockquote><p><code>readonly</code> <strong>source</strong>: <code>string</code></p></blockquote><p>Where the identity comes from, such as <code>jwt</code> or <code>api-key:svc_1a2b3c4d</code>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("reference/api/interfaces/svc-runtime_contracts.Identity.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const svcRuntime_contracts_Identity = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  svcRuntime_contracts_Identity as default
};
