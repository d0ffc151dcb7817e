import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Function: guard()","description":"","frontmatter":{},"headers":[],"relativePath":"reference/api/functions/svc-runtime.guard.md","filePath":"reference/api/functions/svc-runtime.guard.md"}');
const _sfc_main = { name: "reference/api/functions/svc-runtime.guard.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="function-guard" tabindex="-1">Function: guard() <a class="header-anchor" href="#function-guard" aria-label="Permalink to &quot;Function: guard()&quot;">​</a></h1><blockquote><p><strong>guard</strong>(<code>context</code>, <code>permission</code>, <code>resource</code>): <code>void</code></p></blockquote><p>Throws unless the caller of a command has the permission and the resource is in their scope: <code>guard(work.context, Permission.write(&#39;orders&#39;), { type: &#39;Order&#39;, id, scope: { customerId } })</code>. What the service does on its own behalf, and everything on a host that does not authenticate, passes.</p><h2 id="parameters" tabindex="-1">Parameters <a class="header-anchor" href="#parameters" aria-label="Permalink to &quot;Parameters&quot;">​</a></h2><table tabindex="0"><thead><tr><th>Parameter</th><th>Type</th></tr></thead><tbody><tr><td><code>context</code></td><td><a href="./../interfaces/svc-runtime.MutationContext"><code>MutationContext</code></a></td></tr><tr><td><code>permission</code></td><td><a href="./../classes/svc-runtime.Permission"><code>Permission</code></a></td></tr><tr><td><code>resource</code></td><td><code>GuardedResource</code></td></tr></tbody></table><h2 id="returns" tabindex="-1">Returns <a class="header-anchor" href="#returns" aria-label="Permalink to &quot;Returns&quot;">​</a></h2><p><code>void</code></p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("reference/api/functions/svc-runtime.guard.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const svcRuntime_guard = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  svcRuntime_guard as default
};
